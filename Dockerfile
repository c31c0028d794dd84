# syntax=docker/dockerfile:1
# Storehouse on Debian 12: built with the Swift toolchain, run without it.
#
#   docker build --tag storehouse .
#   docker run --publish 8080:8080 --volume storehouse:/data storehouse

FROM swift:6.3.1-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libsqlite3-dev libsodium-dev libcurl4-openssl-dev libxml2-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY . .
# The Swift runtime goes into the binary; SQLite, libsodium and curl stay Debian's, so that its security updates reach them.
RUN swift build --configuration release --product storehouse --static-swift-stdlib \
    && install -D --strip "$(swift build --configuration release --show-bin-path)/storehouse" /out/storehouse

FROM debian:12.12-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libsqlite3-0 libsodium23 libcurl4 ca-certificates curl \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin storehouse \
    && install --directory --owner storehouse --mode 0700 /data
COPY --from=build /out/storehouse /usr/local/bin/storehouse
COPY config /srv/storehouse/config
# Relative paths (config/catalog.json) are looked up from here; the only place the service writes to is /data.
WORKDIR /srv/storehouse
USER storehouse
VOLUME /data
EXPOSE 8080
# SIGTERM is what `docker stop` sends: the service answers what is in flight, flushes its writer and exits 0.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
    CMD ["curl", "--fail", "--silent", "--output", "/dev/null", "http://127.0.0.1:8080/healthz"]
ENTRYPOINT ["/usr/local/bin/storehouse"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8080", "--database", "/data/storehouse.sqlite"]
