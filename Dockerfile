# The service with everything that it runs. `docker compose up` starts it with PostgreSQL.
FROM node:24-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates ffmpeg \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /srv/ondine
COPY . .
# `script/bootstrap` finds ffmpeg, and installs the npm packages of the lock file. The cache of npm would be a fifth of
# the image.
RUN script/bootstrap && npm run --silent build && touch web/dist/built && rm -rf ~/.npm \
  && mkdir -p /data node_modules/.cache && chown -R node:node /data node_modules/.cache
USER node
ENV NODE_ENV=production DATA_DIR=/data
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --start-period=60s \
  CMD node -e "fetch('http://127.0.0.1:4000/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"
CMD ["script/ondine", "serve"]
