import { createHash, createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import S3rver from 's3rver'
import type { Settings } from '../src/env.ts'
import { S3Client } from '../src/segments/s3-client.ts'
import { closeServer, listenLocally } from './local-server.ts'

/**
 * Failure of a request. With the status 200, the store answers as after a success, but the body contains an error.
 * `reset`: the connection is reset. `cut`: the answer is cut off inside its body.
 */
type S3Fault = 'reset' | 'cut' | { status: number; code: string }

/** The part of a request that decides whether it fails. */
interface SeenRequest {
  method: string
  /** Name of the object; empty if the request is about the bucket. */
  key: string
}

/** An S3-compatible store for a test. */
export interface TestS3 {
  /** Settings of a service that uses this store. */
  settings: Pick<
    Settings,
    'MEDIA_STORE' | 'AWS_ENDPOINT_URL_S3' | 'AWS_REGION' | 'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY'
  >
  /** A client whose requests never fail, for preparing and inspecting objects. */
  client: S3Client
  /** All received requests, except those of `client`. */
  seen: SeenRequest[]
  /** Number of requests without a complete answer. */
  inFlight: number
  /** Returns the failure of a request, if any. */
  fault: (request: SeenRequest) => S3Fault | undefined
  /** Returns the names of all objects. */
  keys(): Promise<string[]>
  close(): Promise<void>
}

const KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
const REGION = 'eu-west-3'
const BUCKET = 'ondine-media'

/**
 * Starts s3rver behind a gate, which adds what s3rver lacks in this version of Node: it checks signatures,
 * supports conditional writes, divides listings into pages, lists all folders, and deletes several objects of a
 * folder at once.
 */
export async function startS3(prefix = ''): Promise<TestS3> {
  const directory = await mkdtemp(join(tmpdir(), 'ondine-s3-'))
  const inner = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: BUCKET }],
  })
  const { port } = await inner.run()
  const gate = await listen(async (incoming, outgoing) => {
    const seen = seenIn(incoming)
    test.seen.push(seen)
    test.inFlight++
    outgoing.once('close', () => test.inFlight--)
    await pass(incoming, outgoing, seen, test.fault(seen))
  })
  const sideDoor = await listen(
    async (incoming, outgoing) => await pass(incoming, outgoing, seenIn(incoming), undefined),
  )
  const client = new S3Client(
    { endpoint: sideDoor.origin, bucket: BUCKET, region: REGION, ...KEYS },
    pino({ level: 'silent' }),
    new AbortController().signal,
  )

  const test: TestS3 = {
    settings: {
      MEDIA_STORE: `s3://${BUCKET}${prefix}`,
      AWS_ENDPOINT_URL_S3: gate.origin,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    },
    client,
    seen: [],
    inFlight: 0,
    fault: () => undefined,
    keys: async () => {
      const keys: string[] = []
      for await (const { objects } of client.list('', { patienceMs: 0 }))
        keys.push(...objects.map(({ key }) => key))
      return keys.toSorted()
    },
    close: async () => {
      await client.close()
      for (const { server } of [gate, sideDoor]) await closeServer(server)
      await inner.close()
      await rm(directory, { recursive: true, force: true })
    },
  }

  async function pass(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    { method, key }: SeenRequest,
    fault: S3Fault | undefined,
  ): Promise<void> {
    const body = await bodyOf(incoming)
    const url = urlOf(incoming)
    if (fault === 'reset') return void incoming.socket.destroy()
    const refused = typeof fault === 'object' ? fault : refusalOf(incoming, url, body)
    if (refused) return answer(outgoing, method, refused)
    if (url.pathname.split('/')[1] !== BUCKET)
      return answer(outgoing, method, { status: 404, code: 'NoSuchBucket' })
    if (method === 'PUT' && incoming.headers['if-none-match'] === '*') {
      const known = await client.readText(key, 0)
      if (known !== undefined) return answer(outgoing, method, { status: 412, code: 'PreconditionFailed' })
    }
    const { headers } = incoming
    if (url.searchParams.has('delete')) {
      for (const name of namesIn(body.toString()))
        await ask('DELETE', `/${BUCKET}/${encodeURIComponent(name)}`, {})
      outgoing.end('<DeleteResult/>')
      return
    }
    const token = url.searchParams.get('continuation-token') ?? ''
    const prefix = url.searchParams.get('prefix') ?? ''
    const isByFolder = url.searchParams.has('delimiter')
    for (const name of ['continuation-token', 'delimiter']) url.searchParams.delete(name)
    const answered = await ask(method, url.pathname + url.search, headers, body)
    if (url.searchParams.has('list-type')) {
      outgoing.writeHead(answered.statusCode ?? 500)
      const listed = (await bodyOf(answered)).toString()
      const page = pageOf(listed, { after: Buffer.from(token, 'base64').toString(), prefix, isByFolder })
      if (fault === 'cut') outgoing.write(page.slice(0, page.length / 2), () => outgoing.destroy())
      else outgoing.end(page)
      return
    }
    outgoing.writeHead(answered.statusCode ?? 500, answered.headers)
    outgoing.once('close', () => answered.destroy())
    if (fault === 'cut')
      answered.once('data', (chunk: Buffer) => {
        outgoing.write(chunk.subarray(0, chunk.length / 2), () => outgoing.destroy())
      })
    else answered.pipe(outgoing)
  }

  async function ask(method: string, path: string, headers: IncomingHttpHeaders, body?: Buffer) {
    return await new Promise<IncomingMessage>((resolve, reject) => {
      const onward = request({ port, host: '127.0.0.1', method, path, headers }, (answered) => {
        // Drops the body, because the answer to a deletion has none.
        if (method === 'DELETE') answered.resume()
        resolve(answered)
      })
      onward.on('error', reject)
      onward.end(body)
    })
  }
  return test
}

async function listen(
  handle: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>,
): Promise<{ server: Server; origin: string }> {
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy())
  })
  return { server, origin: await listenLocally(server) }
}

function urlOf({ url }: IncomingMessage): URL {
  return new URL(url ?? '/', 'http://store')
}

function seenIn(incoming: IncomingMessage): SeenRequest {
  const [, , ...names] = decodeURIComponent(urlOf(incoming).pathname).split('/')
  return { method: incoming.method ?? '', key: names.join('/') }
}

/**
 * Returns a page of a listing: at most three objects, after the name `after`. The first page contains the folders.
 */
function pageOf(
  xml: string,
  { after, prefix, isByFolder }: { after: string; prefix: string; isByFolder: boolean },
): string {
  const nameOf = (object = ''): string => /<Key>(.*?)<\/Key>/s.exec(object)?.[1] ?? ''
  const insideOf = (object: string): string => nameOf(object).slice(prefix.length)
  const all = [...xml.matchAll(/<Contents>.*?<\/Contents>/gs)].map(([object]) => object)
  const isInFolder = (object: string): boolean => isByFolder && insideOf(object).includes('/')
  const folders = new Set(all.filter(isInFolder).map((object) => /^.*?\//s.exec(insideOf(object))?.[0]))
  const left = all.filter((object) => !isInFolder(object) && nameOf(object) > after)
  const page = left.slice(0, 3)
  const next = Buffer.from(nameOf(page.at(-1))).toString('base64')
  return [
    '<ListBucketResult>',
    `<IsTruncated>${left.length > 3}</IsTruncated>`,
    left.length > 3 ? `<NextContinuationToken>${next}</NextContinuationToken>` : '',
    ...page,
    ...(after === '' ? [...folders] : []).map(
      (folder) => `<CommonPrefixes><Prefix>${prefix}${folder}</Prefix></CommonPrefixes>`,
    ),
    '</ListBucketResult>',
  ].join('')
}

/** Returns the names in the body of a request to delete several objects. */
function namesIn(xml: string): string[] {
  return [...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, name = '']) =>
    name.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
  )
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function answer(
  outgoing: ServerResponse,
  method: string,
  { status, code }: { status: number; code: string },
) {
  outgoing.writeHead(status, { 'content-type': 'application/xml' })
  outgoing.end(method === 'HEAD' ? '' : `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
}

/** Verifies the signature of a request (AWS Signature Version 4). Returns the refusal, if any. */
function refusalOf({ method, headers }: IncomingMessage, { pathname, searchParams }: URL, body: Buffer) {
  const [, accessKey, day, region, signed, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? []
  if (accessKey !== KEYS.accessKeyId) return { status: 403, code: 'InvalidAccessKeyId' }
  if (region !== REGION) return { status: 400, code: 'AuthorizationHeaderMalformed' }
  if (headers['x-amz-content-sha256'] !== hash(body))
    return { status: 400, code: 'XAmzContentSHA256Mismatch' }
  const names = (signed ?? '').split(';')
  const query = [...searchParams].map(([name, value]) => `${rfc3986(name)}=${rfc3986(value)}`).sort()
  const canonical = [
    method,
    decodeURIComponent(pathname).split('/').map(rfc3986).join('/'),
    query.join('&'),
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signed,
    hash(body),
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(canonical)].join('\n')
  const key = [day ?? '', region, 's3', 'aws4_request'].reduce<Buffer>(
    (secret, part) => hmac(secret, part),
    Buffer.from(`AWS4${KEYS.secretAccessKey}`),
  )
  return hmac(key, text).toString('hex') === signature
    ? undefined
    : { status: 403, code: 'SignatureDoesNotMatch' }
}

function rfc3986(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function hash(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex')
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
