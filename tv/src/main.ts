import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readService, UnfitService } from './television-app.ts'
import { writePackages } from './write-packages.ts'

const USAGE = `Writes the packages of a service for televisions: Tizen (Samsung), webOS (LG), Android TV.

  npm run television -- --service https://watch.example.com --id com.example.watch [--version 1.0.0] [--vendor name] [folder]

  --service   address of the running service; its configuration gives the name, the icon and the colour
  --id        your domain backwards; never change it
  --version   increase it with each delivery to a store (default 1.0.0)
  --vendor    publisher of the app (default: the name of the service)
  folder      folder for the packages (default: television)

Sign and pack the folders with the tools of the manufacturers: docs/television.md.
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    service: { type: 'string' },
    id: { type: 'string' },
    version: { type: 'string', default: '1.0.0' },
    vendor: { type: 'string' },
    help: { type: 'boolean' },
  },
})
const { service, id, version, vendor } = values
if (service === undefined || id === undefined || values.help === true) {
  process.stdout.write(USAGE)
  process.exit(values.help === true ? 0 : 2)
}
try {
  const app = await readService({ service, id, version, vendor })
  for (const folder of await writePackages(app, resolve(positionals[0] ?? 'television')))
    process.stdout.write(`${folder}\n`)
} catch (error) {
  if (!(error instanceof UnfitService)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
