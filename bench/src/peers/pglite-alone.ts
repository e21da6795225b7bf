/** Runs only the embedded database, to measure its share of the service's memory. */
import { createServer } from 'node:http'
import { PGlite } from '@electric-sql/pglite'
import { PGLITE_OPTIONS } from '@ondine/server/database/embedded'

const [folder] = process.argv.slice(2)
const pglite = await PGlite.create({ ...(folder && { dataDir: folder }), ...PGLITE_OPTIONS })
await pglite.query('select count(*) from assets')
const server = createServer()
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`listening on ${typeof address === 'object' ? address?.port : ''}`)
})
process.once('SIGTERM', () => {
  void pglite.close().then(() => process.exit(0))
})
