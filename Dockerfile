# perturbql for a container. Any OCI builder takes it:
#   docker build -t perturbql .
#   docker run --rm --network none -v "$PWD:/work" perturbql demo
#   docker run --rm -p 4747:4747 -v "$PWD:/work" perturbql annotate serve --project project.db --host 0.0.0.0 --allow-remote
# BASE is any Debian with Node 20.12 or newer, npm, and a user `node`.
ARG BASE=node:24-bookworm-slim

FROM ${BASE} AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm pack --ignore-scripts --pack-destination /tmp && mv /tmp/perturbql-*.tgz /tmp/perturbql.tgz

FROM ${BASE} AS install
WORKDIR /opt/perturbql
COPY --from=build /tmp/perturbql.tgz /tmp/
COPY package-lock.json .npmrc ./
RUN tar -xzf /tmp/perturbql.tgz --strip-components=1 && npm ci --omit=dev --ignore-scripts
# The ONNX runtime comes with binaries for all platforms; this image is for one.
RUN cd node_modules/onnxruntime-node/bin/napi-v* \
 && find . -mindepth 2 -maxdepth 2 ! -path "./linux/$(node -p process.arch)" -exec rm -r {} +
COPY scripts/container-health.mjs ./

FROM ${BASE}
COPY --from=install /opt/perturbql /opt/perturbql
# The cache is everyone's, so that `--user` can name any.
RUN ln -s /opt/perturbql/dist/cli/main.js /usr/local/bin/perturbql \
 && install -d -m 1777 /var/cache/perturbql && install -d -o node -g node /work
ENV NODE_ENV=production PERTURBQL_CACHE=/var/cache/perturbql
USER node
WORKDIR /work
EXPOSE 4747
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["node", "/opt/perturbql/container-health.mjs"]
ENTRYPOINT ["perturbql"]
CMD ["--help"]
