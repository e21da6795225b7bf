import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** The server's replacements of libraries' hooks. */
const INSTEAD = new Map(
  ['@tanstack/react-query', 'react-i18next'].map((library) => {
    const name = library.split('/').at(-1)
    return [library, fileURLToPath(new URL(`../src/server-hooks/${name}.ts`, import.meta.url))]
  }),
)

/**
 * Gives the server's code hooks that read once. The libraries' own hooks prepare subscriptions, which never fire on the server and took a
 * tenth of the rendering time of a page.
 */
export function serverHooks(): Plugin {
  return {
    name: 'ondine:server-hooks',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === 'ssr',
    resolveId(source, importer) {
      const instead = INSTEAD.get(source)
      // The replacements themselves import the library.
      return instead === importer?.split('?')[0] ? null : instead
    },
  }
}
