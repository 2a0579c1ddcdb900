# Compiles the sources, and better-sqlite3 where there is no build of it for this system. Nothing of it but the result
# gets into the image.
FROM node:20-bookworm-slim AS build
RUN apt-get update \
  && apt-get install -y --no-install-recommends python3 make g++ tini \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
# Dependencies first: they stay cached while only sources change.
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts && npm rebuild
COPY tsconfig.json ./
COPY config config
COPY workers workers
COPY src src
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:20-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
# The defaults keep SQLite and the embedded queue in ./data: it is the one folder the daemon may write to.
RUN mkdir data && chown node:node data
# Linux keeps a container's process 1 from ending itself: the watchdog's kill works behind an init only.
COPY --from=build /usr/bin/tini-static /usr/bin/tini
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/config config
COPY --from=build /app/dist dist
COPY --from=build /app/src/daemon/http/assets src/daemon/http/assets
USER node
VOLUME /app/data
EXPOSE 8630
# Starts a drain; give it more than COMPLETIOND_SHUTDOWN_GRACE_MS before the container is killed.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.COMPLETIOND_HTTP_PORT ?? 8630}/readyz`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "dist/src/cli/main.js"]
CMD ["start"]
