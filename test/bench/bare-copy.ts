import { createServer } from "node:http";
import pg from "pg";

/** The goods of a company as PostgreSQL writes them itself, in the columns of the service's tables. */
const columns = `g.sku, g.name, g.short_details, g.details, g.price_e2, g.type, g.unit, g.eta, g.eta_config_id,
  g.notes_enabled, g.max_quantity, g.limit_type, g.unit_config, array_to_string(g.keywords, ', ') AS keywords,
  array_to_string(g.barcodes, ', ') AS barcodes, g.weight, g.label, g.provider_fee_e2, g.provider_fee_prc,
  (SELECT string_agg(category_id::text, ', ' ORDER BY category_id) FROM good_categories c
    WHERE c.company_id = g.company_id AND c.good_id = g.id) AS categories`;

/** The messages of one COPY, which the driver hands on as they arrive. */
class CopyOut {
  constructor(
    private readonly text: string,
    private readonly onData: (chunk: Buffer) => void,
    private readonly onEnd: (error?: Error) => void,
  ) {}

  submit(connection: { query(text: string): void }): void {
    connection.query(this.text);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.onData(chunk);
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.onEnd();
  }

  handleError(error: Error): void {
    this.onEnd(error);
  }
}

const [url, port] = process.argv.slice(2);
const client = new pg.Client({ connectionString: url });
await client.connect();

/** The bare server of exports: `GET /goods/{companyId}` streams one COPY, whatever the format it is compared with. */
createServer((request, response) => {
  const companyId = Number((request.url ?? "").split("/")[2]);
  if (Number.isNaN(companyId)) return void response.end("ready");
  const text = `COPY (SELECT ${columns} FROM goods g WHERE g.company_id = ${companyId} AND g.deleted_at IS NULL ORDER BY g.id DESC)
    TO STDOUT (FORMAT csv, HEADER)`;
  response.writeHead(200, { "content-type": "text/csv" });
  client.query(
    new CopyOut(
      text,
      (chunk) => void response.write(chunk),
      (error) => (error === undefined ? response.end() : response.destroy(error)),
    ) as unknown as pg.Submittable,
  );
}).listen(Number(port), "127.0.0.1");
