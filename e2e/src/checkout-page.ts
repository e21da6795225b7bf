import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { CHECKOUT_MESSAGES } from '@ondine/contract/subscription-service'

/** The behaviour of the page after it has loaded: it sends a message that it is ready, or sends nothing. */
type Manner = 'ready' | 'silent'

/**
 * A payment page of an operator, on another origin. The page displays the messages that it receives, and a press
 * on it posts to this server.
 */
export class CheckoutPage {
  readonly #server: Server
  manner: Manner = 'ready'
  /** Runs when somebody pays. */
  onPaid: () => void = () => {}
  address = ''

  constructor() {
    this.#server = createServer((request, response) => {
      if (request.method === 'POST') this.onPaid()
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pageOf(this.manner))
    })
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('The page has no port.')
    // The service is at 127.0.0.1, so this is another origin and another site.
    this.address = `http://localhost:${address.port}/buy`
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

function pageOf(manner: Manner): string {
  const { ready, session, finished, failed } = CHECKOUT_MESSAGES
  return `<!doctype html><html lang="fr"><title>Caisse</title><h1>Caisse</h1><pre></pre>
<button id="pay">Régler</button><button id="fail">Échouer</button><script>
const say = (type) => parent.postMessage({ type }, '*')
addEventListener('message', ({ data, origin }) => {
  if (data.type === '${session}') document.querySelector('pre').textContent = JSON.stringify({ ...data, origin })
})
document.querySelector('#pay').onclick = async () => {
  await fetch(location.href, { method: 'POST' })
  say('${finished}')
}
document.querySelector('#fail').onclick = () => say('${failed}')
${manner === 'ready' ? `say('${ready}')` : ''}
</script></html>`
}
