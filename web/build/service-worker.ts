import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { slimContract } from './slim-contract.ts'

const WORKER = fileURLToPath(new URL('../worker/service-worker.ts', import.meta.url))

/** File name of the worker. The file is at the root, so that the worker's scope includes all pages. */
const FILE = 'service-worker.js'

/** Files of `public` that the offline page needs. */
const PUBLIC_FILES = ['/icon.svg']

/** Files that the offline page does not need: the design gallery. */
const UNNEEDED = /\/(?:design|gallery)[\w.-]*\.(?:js|css)$/
const NEEDED = /\.(?:js|css|woff2)$/

/**
 * Builds the service worker after the application's code, because the worker contains the list of files that it
 * caches. File names contain a hash of the content, so the worker changes whenever a file changes.
 */
export function serviceWorker(): Plugin {
  return {
    name: 'ondine:service-worker',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const files = [...Object.keys(bundle).map((file) => `/${file}`), ...PUBLIC_FILES]
          .filter((file) => PUBLIC_FILES.includes(file) || (NEEDED.test(file) && !UNNEEDED.test(file)))
          .toSorted()
        const hash = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 12)
        this.emitFile({ type: 'asset', fileName: FILE, source: await built(files, hash) })
      },
    },
  }
}

/** Returns the worker's code as a single script, because not all browsers support modules in service workers. */
async function built(files: readonly string[], hash: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [slimContract()],
    define: { SHELL_FILES: JSON.stringify(files), BUILD: JSON.stringify(hash) },
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: { input: WORKER, output: { format: 'iife' } },
    },
  })
  const [output] = [result].flat()
  const chunk = output && 'output' in output ? output.output.find((file) => file.type === 'chunk') : undefined
  if (chunk === undefined) throw new Error('The service worker was not built.')
  return chunk.code
}
