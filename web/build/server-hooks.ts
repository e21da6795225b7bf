import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** What stands on the server for the hooks of a library. */
const INSTEAD = new Map(
  ['@tanstack/react-query', 'react-i18next'].map((library) => {
    const name = library.split('/').at(-1)
    return [library, fileURLToPath(new URL(`../src/server-hooks/${name}.ts`, import.meta.url))]
  }),
)

/**
 * Gives the server's code hooks that look once. Those of the libraries make ready to follow what they show, which on the
 * server nothing ever changes, and took a tenth of the time of a page.
 */
export function serverHooks(): Plugin {
  return {
    name: 'ondine:server-hooks',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === 'ssr',
    resolveId(source, importer) {
      const instead = INSTEAD.get(source)
      // They are made from the library's own.
      return instead === importer?.split('?')[0] ? null : instead
    },
  }
}
