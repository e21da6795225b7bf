/** Runs the embedded database alone, to measure how much of the service's memory it uses. */
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
