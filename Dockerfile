# The service without the embedded Postgres: it needs DATABASE_URL. docs/operating/containers.md says how it is started.
FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
# The Node of the image is used, not the one that the tests bring.
RUN npm ci --ignore-scripts --no-audit --no-fund && rm -f node_modules/.bin/node
COPY . .
RUN mkdir /packed && npm pack --pack-destination /packed

FROM node:24-slim AS install
WORKDIR /app
COPY --from=build /packed /packed
RUN tar -xzf /packed/countersign-*.tgz --strip-components=1
COPY package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:24-slim
# A new volume for the keys takes the owner of this directory.
RUN install -d -o node -g node -m 0700 /etc/countersign && ln -s /app/bin/countersign /usr/local/bin/countersign
COPY --from=install /app /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["countersign"]
CMD ["serve"]
