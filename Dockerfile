FROM node:22-slim
RUN npm install --global ctx-trim@0.1.0 && npm cache clean --force
USER node
WORKDIR /work
ENTRYPOINT ["ctx-trim"]
