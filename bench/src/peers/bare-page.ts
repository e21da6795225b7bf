/** React behind Fastify with 40 plain cards and the data of as many: what a page costs without a router, texts or styles. */
import Fastify from 'fastify'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'

const CARDS = 40

const items = Array.from({ length: CARDS }, (_, index) => ({
  id: index + 1,
  title: `Film ${index + 1}`,
  subtitle: '1 h 48',
  // As much as an asset has.
  description: 'x'.repeat(1000),
}))

function Page() {
  return createElement(
    'html',
    null,
    createElement('head', null, createElement('title', null, 'Page')),
    createElement(
      'body',
      null,
      createElement(
        'ul',
        null,
        items.map(({ id, title, subtitle }) =>
          createElement(
            'li',
            { key: id },
            createElement(
              'a',
              { href: `/content/${id}` },
              createElement('img', { src: `/images/${id}/360`, alt: '', width: 640, height: 360 }),
              createElement('span', null, title),
              createElement('span', null, subtitle),
            ),
          ),
        ),
      ),
    ),
  )
}

const app = Fastify()
app.get('/', async (_request, reply) =>
  reply
    .type('text/html')
    .send(`<!doctype html>${renderToString(createElement(Page))}<script>${JSON.stringify(items)}</script>`),
)
await app.listen({ port: 0, host: '127.0.0.1' })
const [address] = app.addresses()
console.log(`listening on ${typeof address === 'object' ? address.port : ''}`)
process.once('SIGTERM', () => process.exit(0))
