internal import Runtime

/// The command line: what is to be done, with which options; each command does the rest.
@main
struct Main {
    static func main() {
        do throws(CommandLineFault) {
            let line = try ParsedCommandLine(Array(CommandLine.arguments.dropFirst()))
            line.command.run(line.options)
        } catch {
            ThisProcess.complain([error.sentence])
            ThisProcess.say("Try: storehouse --help")
            ThisProcess.exit(.usage)
        }
    }
}
