import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import { getPort } from '../../infra/local/port.ts';

/** Request units as DynamoDB bills them: a write of up to 1 KB, a strongly consistent read of up to 4 KB; transactions count twice. */
export interface Units {
  writes: number;
  reads: number;
  /** Write units by table, including its indexes. */
  writesByTable: Readonly<Record<string, number>>;
  /** Response bytes of table calls, including HTTP headers. Excludes streams, which are read within the region. */
  answerBytes: number;
}

interface Meter {
  /** The metered endpoint of the store. */
  endpoint: string;
  /** The use since the last reading. */
  read(): Units;
  stop(): void;
}

interface Capacity {
  CapacityUnits?: number;
}
interface Consumed extends Capacity {
  TableName?: string;
}

/** Bytes of a DynamoDB response's status line and headers: date, length, request id, and checksum. */
const HEADER_BYTES = [
  'HTTP/1.1 200 OK',
  'Server: Server',
  'Date: Fri, 20 Nov 2026 09:00:00 GMT',
  'Content-Type: application/x-amz-json-1.0',
  'Content-Length: 1000',
  'Connection: keep-alive',
  `x-amzn-RequestId: ${'A'.repeat(52)}`,
  'x-amz-crc32: 2745614147',
].reduce((sum, line) => sum + line.length + 2, 2);

const WRITES = /\.(PutItem|UpdateItem|DeleteItem|TransactWriteItems)$/;
/** A page of a breakdown that is not the row of a key's day; metered as a table of its own. */
const PAGE = /"(row|day)":\{"S":"by#/;
export const PAGES = 'pages of breakdowns';
/** A row for reports by term, metered in the same way. */
const TERMS_ROW = /"row":\{"S":"(terms|seen)#/;
export const TERMS = 'rows of terms';
/** A refused write costs as much as the item that it found. The stand-in does not report it. */
const REFUSED = /ConditionalCheckFailedException$/;

const READS = /\.(GetItem|BatchGetItem|Query)$/;

/** Starts a proxy of DynamoDB that requests the consumed capacity of every call, and sums it. */
export async function startMeter(dynamoDb: string): Promise<Meter> {
  let used = nothing();
  const agent = new Agent({ keepAlive: true });

  const server = createServer(async (request, response) => {
    const target = String(request.headers['x-amz-target']);
    let body = await text(request);
    const kind = WRITES.test(target) ? 'writes' : READS.test(target) ? 'reads' : undefined;
    if (kind) body = JSON.stringify({ ...JSON.parse(body), ReturnConsumedCapacity: 'INDEXES' });
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const asked = send(dynamoDb, { method: 'POST', headers, agent }).end(body);
    const [answer]: IncomingMessage[] = await once(asked, 'response');
    const found = await text(answer!);
    if (kind) {
      const { ConsumedCapacity, ...rest } = JSON.parse(found);
      used.answerBytes += Buffer.byteLength(JSON.stringify(rest)) + HEADER_BYTES;
      const refused = { TableName: JSON.parse(body).TableName, CapacityUnits: toUnits(rest.Item) };
      const consumed = REFUSED.test(rest.__type) ? [refused] : consumedOf(ConsumedCapacity);
      for (const { TableName: table, CapacityUnits } of consumed) {
        const TableName = PAGE.test(body) ? PAGES : TERMS_ROW.test(body) ? TERMS : table;
        used[kind] += CapacityUnits;
        if (kind === 'writes') used.writesByTable[TableName] = (used.writesByTable[TableName] ?? 0) + CapacityUnits;
      }
    }
    response.writeHead(answer!.statusCode!).end(found);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    endpoint: `http://127.0.0.1:${getPort(server)}`,
    read() {
      const read = used;
      used = nothing();
      return read;
    },
    stop() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

const nothing = (): Units & { writesByTable: Record<string, number> } => ({
  writes: 0,
  reads: 0,
  answerBytes: 0,
  writesByTable: {},
});

/** Write units of an item in the format of the protocol, whose types and punctuation make up for the size of numbers. */
const toUnits = (item: object = {}): number => Math.max(1, Math.ceil(JSON.stringify(item).length / 2 / 1024));

const consumedOf = (consumed: Consumed | Consumed[] | undefined) =>
  [consumed ?? []].flat().map(({ TableName = '', CapacityUnits = 0 }) => ({ TableName, CapacityUnits }));
