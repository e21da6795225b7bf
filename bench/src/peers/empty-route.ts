/** Runs Fastify with a route that does nothing, to measure the framework alone. */
import Fastify from 'fastify'

const app = Fastify()
app.get('/', async () => ({ status: true }))
app.post('/', async () => ({ status: true }))
// Parses forms, as the service does.
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
  done(null, body),
)
await app.listen({ port: 0, host: '127.0.0.1' })
const [address] = app.addresses()
console.log(`listening on ${typeof address === 'object' ? address.port : ''}`)
process.once('SIGTERM', () => process.exit(0))
