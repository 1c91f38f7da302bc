import { createServer } from "node:http";
import pg from "pg";
import { BASELINE_SQL, type BaselineName } from "./baseline-sql.js";

/**
 * The bare server, to which ratios refer: it runs one prepared statement for each request and sends the JSON
 * unchanged.
 */
const [url, port] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 16 });

createServer((request, response) => {
  const [, name, companyId, id] = (request.url ?? "").split("/");
  const text = BASELINE_SQL[name as BaselineName];
  pool.query<{ body: string }>({ name, text, values: [Number(companyId), Number(id)] }).then(
    ({ rows }) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(rows[0]?.body);
    },
    (error: unknown) => {
      response.writeHead(500);
      response.end(String(error));
    },
  );
}).listen(Number(port), "127.0.0.1");
