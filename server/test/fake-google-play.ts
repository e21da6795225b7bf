import { generateKeyPairSync, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { closeServer, listenLocally } from './local-server.ts'
import { keyIdOf, signJws } from './test-authority.ts'

export const GOOGLE_PACKAGE = 'tv.ondine.app'
export const GOOGLE_AUDIENCE = 'https://ondine.test/payments/google/notices'
export const GOOGLE_SENDER = 'notices@ondine-test.iam.gserviceaccount.com'
const READER = 'reader@ondine-test.iam.gserviceaccount.com'
const ACCESS_TOKEN = 'access-of-the-tests'
const PURCHASES = `/androidpublisher/v3/applications/${GOOGLE_PACKAGE}/purchases/`

/** A subscription in the fake store. Times are milliseconds since the Unix epoch. */
export interface GoogleSubscription {
  productId: string
  state: string
  startTime: number
  expiryTime: number
  orderId: string
  renews: boolean
  linkedPurchaseToken?: string
  isAcknowledged?: boolean
}

/** A one-time purchase. `purchaseState`: 0 purchased, 1 canceled, 2 pending. */
export interface GoogleProduct {
  productId: string
  purchaseState: 0 | 1 | 2
  purchaseTime: number
  orderId: string
  isAcknowledged?: boolean
}

/** A fake of Google on loopback: its tokens and keys, the purchases of Google Play, and the notices of Pub/Sub. */
export class FakeGooglePlay {
  readonly #server: Server
  readonly #account = generateKeyPairSync('rsa', { modulusLength: 2048 })
  readonly #signer = generateKeyPairSync('rsa', { modulusLength: 2048 })
  readonly #stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })
  /** Subscriptions by purchase token. */
  readonly subscriptions = new Map<string, GoogleSubscription>()
  readonly products = new Map<string, GoogleProduct>()
  /** Requests for purchases, such as `GET subscriptionsv2/tokens/a`. */
  readonly requests: string[] = []
  /** Returns the status of a failure instead of the correct answer; undefined for the correct answer. */
  fault: (request: string) => number | undefined = () => undefined

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#serve(request, response)
    })
  }

  /** @returns the address of the server */
  async start(): Promise<string> {
    return await listenLocally(this.#server)
  }

  async stop(): Promise<void> {
    await closeServer(this.#server)
  }

  /** Key file of the service account that may read purchases. */
  get keyFile(): string {
    return JSON.stringify({
      type: 'service_account',
      client_email: READER,
      private_key: this.#account.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    })
  }

  /** Returns the body of a notice as Pub/Sub sends it. */
  notice(told: Record<string, unknown>, packageName = GOOGLE_PACKAGE): string {
    const data = Buffer.from(JSON.stringify({ version: '1.0', packageName, ...told })).toString('base64')
    return JSON.stringify({ message: { data, messageId: '1' }, subscription: 'projects/ondine/play' })
  }

  /**
   * Returns the bearer token of a notice. Its times are real, because Google's library compares them with the real
   * clock.
   */
  bearer(claims: Record<string, unknown> = {}, isOfStranger = false): string {
    const now = Math.floor(Date.now() / 1000)
    const payload = {
      iss: 'https://accounts.google.com',
      aud: GOOGLE_AUDIENCE,
      email: GOOGLE_SENDER,
      email_verified: true,
      iat: now,
      exp: now + 3600,
      ...claims,
    }
    const { privateKey } = isOfStranger ? this.#stranger : this.#signer
    return `Bearer ${signJws({ kid: keyIdOf(this.#signer.publicKey) }, payload, privateKey, 'RS256')}`
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', 'http://google.test')
    const body = await text(request)
    const [status, answer] = this.#answer(
      `${request.method} ${pathname}`,
      body,
      request.headers.authorization,
    )
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }

  #answer(request: string, body: string, authorization: string | undefined): [number, unknown] {
    if (request === 'POST /token')
      return this.#isOfAccount(new URLSearchParams(body).get('assertion') ?? '')
        ? [200, { access_token: ACCESS_TOKEN, token_type: 'Bearer', expires_in: 3600 }]
        : [400, { error: 'invalid_grant' }]
    if (request === 'GET /oauth2/v1/certs') {
      const { publicKey } = this.#signer
      return [200, { [keyIdOf(publicKey)]: publicKey.export({ type: 'spki', format: 'pem' }) }]
    }
    const [method, path = ''] = request.split(' ')
    if (!path.startsWith(PURCHASES)) return [404, {}]
    if (authorization !== `Bearer ${ACCESS_TOKEN}`) return [401, {}]
    const asked = `${method} ${decodeURIComponent(path.slice(PURCHASES.length))}`
    this.requests.push(asked)
    const fault = this.fault(asked)
    return fault === undefined ? this.#answerPurchase(asked) : [fault, {}]
  }

  #answerPurchase(asked: string): [number, unknown] {
    const [, productId = '', token = '', verb] =
      /^\w+ (?:subscriptionsv2|(?:products|subscriptions)\/([^/]+))\/tokens\/([^:]+)(?::(\w+))?$/.exec(
        asked,
      ) ?? []
    const subscription = this.subscriptions.get(token)
    const product = this.products.get(token)
    const purchase = subscription ?? product
    if (!purchase || (productId !== '' && purchase.productId !== productId)) return [404, {}]
    if (asked.startsWith('GET subscriptionsv2'))
      return subscription ? [200, written(subscription)] : [400, {}]
    if (asked.startsWith('GET products')) return product ? [200, writtenProduct(product)] : [400, {}]
    if (verb !== (subscription ? 'acknowledge' : 'consume')) return [404, {}]
    purchase.isAcknowledged = true
    return [200, {}]
  }

  /**
   * Returns whether the service account has signed a token request, and whether the request has the correct scope.
   */
  #isOfAccount(assertion: string): boolean {
    const [header = '', payload = '', signature = ''] = assertion.split('.')
    const claims: Record<string, unknown> = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return (
      verify(
        'sha256',
        Buffer.from(`${header}.${payload}`),
        this.#account.publicKey,
        Buffer.from(signature, 'base64url'),
      ) &&
      claims.iss === READER &&
      claims.scope === 'https://www.googleapis.com/auth/androidpublisher'
    )
  }
}

function written({ productId, orderId, renews, ...subscription }: GoogleSubscription) {
  const { state, startTime, expiryTime, linkedPurchaseToken, isAcknowledged = false } = subscription
  return {
    kind: 'androidpublisher#subscriptionPurchaseV2',
    subscriptionState: `SUBSCRIPTION_STATE_${state}`,
    startTime: new Date(startTime).toISOString(),
    latestOrderId: orderId,
    ...(linkedPurchaseToken !== undefined && { linkedPurchaseToken }),
    acknowledgementState: `ACKNOWLEDGEMENT_STATE_${isAcknowledged ? 'ACKNOWLEDGED' : 'PENDING'}`,
    lineItems: [
      {
        productId,
        expiryTime: new Date(expiryTime).toISOString(),
        latestSuccessfulOrderId: orderId,
        // Google omits false values.
        autoRenewingPlan: renews ? { autoRenewEnabled: true } : {},
      },
    ],
  }
}

function writtenProduct({ purchaseState, purchaseTime, orderId, isAcknowledged = false }: GoogleProduct) {
  return {
    kind: 'androidpublisher#productPurchase',
    purchaseState,
    purchaseTimeMillis: String(purchaseTime),
    orderId,
    acknowledgementState: isAcknowledged ? 1 : 0,
  }
}
