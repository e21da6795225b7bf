/** A Fastify with one route that does nothing: what the frame costs without the picture. */
import Fastify from 'fastify'

const app = Fastify()
app.get('/', async () => ({ status: true }))
app.post('/', async () => ({ status: true }))
// Forms are read, as the service reads them.
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
  done(null, body),
)
await app.listen({ port: 0, host: '127.0.0.1' })
const [address] = app.addresses()
console.log(`listening on ${typeof address === 'object' ? address.port : ''}`)
process.once('SIGTERM', () => process.exit(0))
