/** A peer that makes its schema of the database: PostGraphile. It runs in a folder of its own, see `peers.ts`. */
import { createServer } from "node:http";
import { grafserv } from "postgraphile/grafserv/node";
import { makePgService } from "postgraphile/adaptors/pg";
import { postgraphile } from "postgraphile";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";

const [url, port] = process.argv.slice(2);
const preset = {
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString: url, schemas: ["public"], poolConfig: { max: 16 } })],
  grafserv: { watch: false, graphiql: false, websockets: false, maxRequestLength: 1_000_000 },
  gather: { installWatchFixtures: false },
};
const peer = createServer();
await postgraphile(preset).createServ(grafserv).addTo(peer);
createServer((request, response) => {
  if (request.url === "/readyz") response.end("{}");
  else peer.emit("request", request, response);
}).listen(Number(port), "127.0.0.1");
