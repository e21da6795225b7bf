import type { Plugin } from 'vite'

const CALLER = /\/start-client-core\/dist\/esm\/client-rpc\/createClientRpc\.js$/

/**
 * Leaves out what TanStack Start calls functions of the server with, and the format that it writes their arguments in: a
 * twentieth of the first load. There are no such functions here; everything is asked of the service's own calls.
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
      return `export function createClientRpc() { throw new Error('There are no functions of the server') }`
    },
    buildEnd(error) {
      if (error === undefined && !isFound)
        throw new Error('TanStack Start calls functions of the server from elsewhere now.')
    },
  }
}
