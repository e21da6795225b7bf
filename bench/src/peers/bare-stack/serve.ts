/**
 * The bare stack: TanStack Start behind Fastify, with a home page that has as much content as the service's home
 * page. It has a router, queries, texts, React Aria and a nonce, all without Ondine's optimisations. The argument
 * is the folder into which `build.ts` has written.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import serveStatic from '@fastify/static'
import Fastify from 'fastify'
import type { PageContext } from './app/page-context.ts'
import { RAILS } from './content.ts'

interface Pages {
  fetch(request: Request, options: { context: PageContext }): Promise<Response>
}

const [, , folder = ''] = process.argv
const built: { default: Pages } = await import(pathToFileURL(join(folder, 'server/server.js')).href)

const app = Fastify()
await app.register(serveStatic, { root: join(folder, 'client'), wildcard: false, index: false })
app.get('/api/home', async () => RAILS)
app.get('/*', async (request, reply) => {
  const nonce = randomBytes(16).toString('base64')
  reply.header(
    'content-security-policy',
    `default-src 'self'; script-src 'self' 'nonce-${nonce}'; style-src 'self' 'nonce-${nonce}'; style-src-attr 'unsafe-inline'`,
  )
  const language = request.headers['accept-language']?.startsWith('en') ? 'en' : 'fr'
  const page = new Request(new URL(request.url, 'http://localhost'), { headers: { accept: 'text/html' } })
  return await built.default.fetch(page, { context: { language, nonce, home: async () => RAILS } })
})
await app.listen({ port: 0, host: '127.0.0.1' })
const [address] = app.addresses()
console.log(`listening on ${typeof address === 'object' ? address.port : ''}`)
process.once('SIGTERM', () => process.exit(0))
