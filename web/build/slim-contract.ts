import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

const CONTRACT_MODULE = /\/contract\/src\/[\w-]+\.ts$/
const FORM_SCHEMA = /\.schema\.ts$/
const WHOLE = '?whole'

/**
 * Removes the schemas of the contract from the browser's code. A call needs its method, path, name and kind
 * of answer; the compiler checks the types here, and the server checks the values. Otherwise the schema
 * library and every schema would be part of the first page.
 *
 * A module named `*.schema.ts` gets the whole contract, because it validates a form. It loads together with
 * the form.
 */
export function slimContract(): Plugin {
  return {
    name: 'ondine:slim-contract',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === 'client',
    async resolveId(source, importer) {
      if (importer === undefined || !(FORM_SCHEMA.test(importer) || importer.endsWith(WHOLE))) return null
      const found = await this.resolve(source, importer, { skipSelf: true })
      return found !== null && CONTRACT_MODULE.test(found.id) ? `${found.id}${WHOLE}` : found
    },
    async transform(code, id) {
      if (id.endsWith(WHOLE)) return null
      const file = id.split('?')[0] ?? id
      if (!CONTRACT_MODULE.test(file) || !code.includes("from './operation.ts'")) return null
      const exports: Record<string, unknown> = await import(pathToFileURL(file).href)
      const slim = Object.entries(exports).flatMap(([name, value]) => {
        const rest = withoutSchemas(value)
        return rest === undefined ? [] : [`export const ${name} = ${JSON.stringify(rest)}`]
      })
      return { code: slim.join('\n'), map: { mappings: '' } }
    },
  }
}

/**
 * Returns the part of an export that the browser needs: nothing of a schema, only the required fields of a call,
 * and constants unchanged.
 */
function withoutSchemas(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value
  if ('_zod' in value) return undefined
  if (!('method' in value && 'path' in value && 'name' in value && 'answer' in value)) return value
  const { method, path, name, answer } = value
  return { method, path, name, answer, ...('otherwise' in value ? { otherwise: value.otherwise } : {}) }
}
