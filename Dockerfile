# Tricorne for a club: docker build -t tricorne . && docker run -p 8080:8080 -v tricorne:/games tricorne
# So that `tricorne --version` names the commit (Git is not in the image): docker build --build-arg
# TRICORNE_COMMIT=$(git rev-parse --short=10 HEAD) -t tricorne .
# The games are in the volume /games; the server runs as a user who owns nothing else.

FROM rust:1.95-slim-bookworm AS build
WORKDIR /tricorne
COPY . .
ARG TRICORNE_COMMIT=
# The page is in web/dist, so Rust is all it takes. The caches keep crates and compiled parts between builds.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/tricorne/target \
    TRICORNE_COMMIT="$TRICORNE_COMMIT" cargo build --release --locked --features full \
 && cp target/release/tricorne /usr/local/bin/tricorne

FROM debian:bookworm-slim
RUN useradd --system --uid 10001 --home-dir /games --shell /usr/sbin/nologin tricorne \
 && install -d -o tricorne -g tricorne -m 750 /games
COPY --from=build /usr/local/bin/tricorne /usr/local/bin/tricorne
# What a shell and a manual know of the commands.
RUN install -d /usr/local/share/man/man1 /usr/share/bash-completion/completions \
 && tricorne man -o /usr/local/share/man/man1 \
 && tricorne completions bash > /usr/share/bash-completion/completions/tricorne
COPY LICENSE-MIT LICENSE-APACHE /usr/share/doc/tricorne/
USER tricorne
WORKDIR /games
VOLUME /games
EXPOSE 8080
# The server itself says whether it is well: it answers only when it can reach its database.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /api/games HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
# Stopped by SIGTERM, which it obeys in order: what was answered is on disk.
STOPSIGNAL SIGTERM
ENTRYPOINT ["tricorne"]
CMD ["serve", "--listen", "0.0.0.0:8080", "--database", "sqlite:/games/games.db"]
