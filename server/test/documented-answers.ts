import { OPERATIONS } from '@ondine/contract/all'
import type { Operation } from '@ondine/contract/operation'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '../src/http/documentation.ts'

const DOCUMENT = 'ondine'

/** Maximum length of answers that are checked, because checking large guides would slow down their tests. */
const MOST_CHARACTERS = 1_000_000

const byName = new Map(OPERATIONS.map((operation) => [operation.name, operation]))

let validator: Ajv2020 | undefined

/** Returns a validator for `/openapi.json`, created once per test process. Schemas are compiled on demand. */
function documentValidator(): Ajv2020 {
  if (validator) return validator
  validator = new Ajv2020({ strict: false, validateSchema: false })
  addFormats.default(validator)
  // The copy has no getters and no undefined values, so it equals the document that a client parses.
  validator.addSchema(JSON.parse(JSON.stringify(openApiDocument(OPERATIONS))), DOCUMENT)
  return validator
}

/** Returns a description of how an answer violates `/openapi.json`; undefined if it conforms. */
export function undocumented(operation: Operation, status: number, answer: unknown): string | undefined {
  const path = operation.path
    .replaceAll(/:(\w+)/g, '{$1}')
    .replaceAll('~', '~0')
    .replaceAll('/', '~1')
  const responses = `${DOCUMENT}#/paths/${encodeURI(path)}/${operation.method.toLowerCase()}/responses`
  const schema = 'content/application~1json/schema'
  const ajv = documentValidator()
  const validate =
    status === 200
      ? ajv.getSchema(`${responses}/200/${schema}`)
      : ajv.getSchema(`${DOCUMENT}#/components/schemas/Failure`)
  if (!validate) return `${operation.name}: /openapi.json has no answer ${status}`
  if (validate(answer)) return undefined
  return `${operation.name} ${status}: ${ajv.errorsText(validate.errors)}`
}

/**
 * Checks every answer of a service against `/openapi.json`.
 *
 * @returns the list of violations, which grows while the service answers
 */
export function holdAgainstDocument(app: FastifyInstance): string[] {
  const faults: string[] = []
  app.addHook('onSend', async (request, reply, payload) => {
    const operation = byName.get(request.routeOptions.config.operation ?? '')
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (operation === undefined || !isText || reply.hasHeader('content-encoding')) return payload
    const isFile = operation.answer === 'file' && reply.statusCode === 200
    if (isFile || payload.length > MOST_CHARACTERS || request.method === 'HEAD') return payload
    const fault = undocumented(operation, reply.statusCode, JSON.parse(payload.toString()))
    if (fault !== undefined) faults.push(fault)
    return payload
  })
  return faults
}
