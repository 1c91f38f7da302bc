# Builds the service for production, which needs DATABASE_URL and JWT_SECRET; SECRETS_KEY is advised. The embedded PostgreSQL
# is left out: its data would be lost with the container.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && node src/tools/production-packages.mjs /packages

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data
# V8 lets garbage pile up where memory is plenty, to several times what is in use, which is less than 100 MB. It is set
# here to collect earlier: some 260 MB under load instead of 500. Raise the figure of the old space where the heap runs out.
# One thread beside the event loop collects and compiles; the usual four take a machine of two processors from it.
# Source maps take 8 MB, so stacks name the lines of dist, which has a file for each source; --enable-source-maps has them translated.
ENV NODE_OPTIONS="--max-semi-space-size=16 --max-old-space-size=512 --v8-pool-size=1"
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=build /packages/node_modules node_modules
COPY --from=build /packages/sbom.json sbom.json
COPY --from=build /app/dist dist
COPY package.json ./
COPY LICENSE ./
COPY schema schema
COPY prisma prisma
# The revision that was built, such as a commit: /metrics has it in gateway_build_info.
ARG BUILD_REVISION=""
ENV BUILD_REVISION=$BUILD_REVISION
USER node
VOLUME /data
EXPOSE 4000
# This tells whether the process lives. One whose database is away, or that finishes its requests before it stops, must not
# be killed.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node is started without npm, so that it gets the signals.
CMD ["node", "dist/main.js"]
