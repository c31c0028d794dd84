internal import Accounts
internal import HTTP
internal import HTTPServer
internal import Persistence
internal import Redux
internal import Runtime

// GET /metrics. Names, units and labels are part of the contract; no label has an account, an id or a text of a client's in it.

extension Service {
    func readMetrics(_ call: Call, on loop: isolated EventLoop) {
        let exchange = call.exchange
        guard let server = observed else { return exchange.respond(Self.response(metrics(nil, nil)), on: loop) }
        server.collectAnswers { answers in
            // On one of the loops. The two files are looked at, which the system answers from memory.
            exchange.respond(Self.response(self.metrics(answers, server.counters)))
        }
    }

    private static func response(_ metrics: MetricsText) -> Response {
        Response(
            status: .ok, fields: ResponseFields([(.contentType, MetricsText.contentType), (.cacheControl, "no-store")]),
            body: metrics.bytes)
    }

    private func metrics(_ answers: AnswerFigures?, _ server: ServerCounters?) -> MetricsText {
        var text = MetricsText()
        text.gauge(
            "storehouse_build_info", "The version and the model served; always 1.",
            [([("model", Model.name), ("version", version)], 1)])
        text.gauge("storehouse_draining", "Whether the service is stopping.", isDraining ? 1 : 0)
        if let answers { addAnswers(answers, to: &text) }
        if let server { Self.addConnections(server, to: &text) }
        addAccounts(to: &text)
        addStorage(to: &text)
        Self.addProcess(to: &text)
        return text
    }

    private func addAnswers(_ answers: AnswerFigures, to text: inout MetricsText) {
        var counts: [([MetricsText.Label], Double)] = []
        var times: [([MetricsText.Label], Histogram)] = []
        for number in -1..<routes.count {
            let figures = answers[number]
            let labels: [MetricsText.Label] =
                number < 0
                ? [("method", "none"), ("route", "none")]
                : [("method", routes[number].method.token.description), ("route", routes[number].path)]
            for (code, count) in figures.statuses {
                counts.append((labels + [("status", code.map { String($0) } ?? "other")], Double(count)))
            }
            if figures.times.count > 0 { times.append((labels, figures.times)) }
        }
        text.counter("storehouse_http_requests_total", "Answers given and streams begun, by route and status.", counts)
        text.histogram(
            "storehouse_http_request_duration_seconds", "From a request's arrival to its answer, or the beginning of its stream.",
            unit: 1e9, times)
    }

    private static func addConnections(_ server: ServerCounters, to text: inout MetricsText) {
        text.gauge("storehouse_http_connections", "Connections open now.", Double(server.connectionsOpen))
        text.counter("storehouse_http_connections_accepted_total", "Connections accepted.", server.connectionsAccepted)
        text.counter(
            "storehouse_http_connections_refused_total", "Connections turned away with 503 or 429.", server.connectionsRefused)
        text.counter(
            "storehouse_http_accept_pauses_total", "Times that accepting paused, out of descriptors or connections.",
            server.acceptPauses)
        text.counter("storehouse_http_received_bytes_total", "Bytes received.", server.bytesReceived)
        text.counter("storehouse_http_sent_bytes_total", "Bytes sent.", server.bytesSent)
    }

    private func addAccounts(to text: inout MetricsText) {
        let counters = accounts.counters
        text.counter("storehouse_actions_committed_total", "Actions that have become durable.", counters.actionsCommitted.current)
        text.counter("storehouse_actions_refused_total", "Requests that a reducer refused.", counters.actionsRefused.current)
        text.counter(
            "storehouse_actions_shed_total", "Actions turned away because the writer was behind.", counters.actionsShed.current)
        text.counter(
            "storehouse_actions_rate_limited_total", "Actions turned away because their account was too fast.",
            counters.actionsRateLimited.current)
        text.gauge("storehouse_mailbox_actions", "Actions accepted and not durable yet.", Double(counters.actionsWaiting.current))
        text.gauge("storehouse_stores_in_memory", "Accounts in memory.", Double(counters.storesInMemory.current))
        text.counter("storehouse_stores_suspended_total", "Accounts that have left memory.", counters.storesSuspended.current)
        text.counter("storehouse_accounts_erased_total", "Accounts erased.", counters.accountsErased.current)
        text.counter(
            "storehouse_accounts_migrated_total", "Accounts taken over from another version.", counters.accountsMigrated.current)
        text.counter(
            "storehouse_logs_shortened_total", "Times that the sweep let go of entries of a log that were too old.",
            counters.logsShortened.current)
        text.gauge(
            "storehouse_accounts_quarantined", "Accounts set aside, since their history cannot be understood.",
            Double(counters.accountsUnreadable.current))
        text.gauge(
            "storehouse_stream_followers", "Event streams and long polls that are open.", Double(counters.followers.current))
        text.gauge(
            "storehouse_effects_waiting", "Effects in memory that are not due yet, or wait for their turn.",
            Double(counters.effectsWaiting.current))
        text.gauge("storehouse_effects_running", "Effects that run now.", Double(counters.effectsRunning.current))
        text.counter("storehouse_effects_run_total", "Effects whose outcome was reported.", counters.effectsRun.current)
        text.counter("storehouse_effects_failed_total", "Attempts at effects that failed.", counters.effectsFailed.current)
        text.counter("storehouse_effects_dead_total", "Effects that are not tried any more.", counters.effectsDead.current)
        text.counter("storehouse_effects_late_total", "Answers that nobody waited for any more.", counters.effectsLate.current)
        text.counter(
            "storehouse_events_total", "What the model and the sign-in count.",
            counters.events.all.map { ([("event", $0.name)], Double($0.count)) })
        text.counter(
            "storehouse_log_lines_dropped_total", "Log lines dropped because their reader was slow.", accounts.log.droppedCount)
    }

    private func addStorage(to text: inout MetricsText) {
        let writer = accounts.database.metrics
        let bytes = accounts.database.fileBytes
        text.gauge("storehouse_writer_failed", "Whether nothing can be written any more.", writer.hasFailed ? 1 : 0)
        text.gauge("storehouse_disk_full", "Whether writes are refused for want of room.", writer.isFull ? 1 : 0)
        text.gauge(
            "storehouse_database_displaced", "Whether the database file is not under its name.", writer.isDisplaced ? 1 : 0)
        text.gauge("storehouse_database_bytes", "The size of the database file.", Double(bytes.database))
        text.gauge("storehouse_wal_bytes", "The size of the write-ahead log's file.", Double(bytes.log))
        text.gauge("storehouse_wal_frames", "Pages in the write-ahead log after the last commit.", Double(writer.walFrames))
        text.gauge("storehouse_writer_queue_submissions", "Turns of loops that wait for the writer.", Double(writer.queueDepth))
        text.counter("storehouse_commit_submissions_total", "Turns of loops that were committed.", writer.submissions)
        text.histogram("storehouse_commit_duration_seconds", "COMMIT with its sync.", unit: 1e9, [([], writer.commitTimes)])
        text.histogram("storehouse_commit_batch_writes", "Writes in one transaction.", unit: 1, [([], writer.batchWrites)])
        text.counter(
            "storehouse_commits_refused_total", "Submissions that were not committed.",
            [([("reason", "conflict")], Double(writer.refusedConflict)), ([("reason", "full")], Double(writer.refusedFull))])
        text.counter("storehouse_checkpoints_total", "Checkpoints made or tried.", writer.checkpoints)
        text.counter(
            "storehouse_checkpoint_seconds_total", "Time spent in checkpoints.",
            [([], Double(writer.checkpointNanoseconds) / 1e9)])
    }

    /// Under the names that Prometheus' client libraries have for them.
    private static func addProcess(to text: inout MetricsText) {
        let process = ProcessFigures.read()
        if let seconds = process.cpuSeconds {
            text.counter("process_cpu_seconds_total", "Processor time, the system's and the user's.", [([], seconds)])
        }
        text.gauge("process_resident_memory_bytes", "Memory in use.", process.residentBytes.map(Double.init))
        text.gauge("process_virtual_memory_bytes", "Address space in use.", process.virtualBytes.map(Double.init))
        text.gauge("process_open_fds", "Open descriptors.", Double(process.openDescriptors))
        text.gauge("process_max_fds", "Descriptors that may be open.", process.descriptorsMax.map(Double.init))
        text.gauge("process_start_time_seconds", "Start of the process, in seconds since 1970.", process.startSeconds)
        text.gauge("process_threads", "Threads.", process.threads.map(Double.init))
    }
}
