import type { Plugin } from 'vite'

const CALLER = /\/start-client-core\/dist\/esm\/client-rpc\/createClientRpc\.js$/

/**
 * Removes TanStack Start's client for server functions, and the serialisation format of their arguments: a twentieth of the first load.
 * Ondine has no server functions; it uses the service's own calls.
 */
export function noServerFunctions(): Plugin {
  let isFound = false
  return {
    name: 'ondine:no-server-functions',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === 'client',
    load(id) {
      if (!CALLER.test(id.split('?')[0] ?? id)) return null
      isFound = true
      return `export function createClientRpc() { throw new Error('There are no server functions') }`
    },
    buildEnd(error) {
      if (error === undefined && !isFound)
        throw new Error('TanStack Start has moved its client for server functions.')
    },
  }
}
