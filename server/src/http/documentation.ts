import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { category } from '@ondine/contract/entities'
import { ERRORS } from '@ondine/contract/errors'
import type { Operation } from '@ondine/contract/operation'
import { block, inline } from '@ondine/contract/rich-text'
import type { FastifyInstance } from 'fastify'
import type { OpenAPIV3, OpenAPIV3_1 } from 'openapi-types'
import * as z from 'zod'
import { CARRIERS } from './principal.ts'

/** Swagger UI sets style attributes and has `data:` pictures in its styles. It runs no scripts from other sites. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Registers `/openapi.json` and the readable page at `/docs`, both made from the contract. */
export async function registerDocumentation(
  app: FastifyInstance,
  operations: readonly Operation[],
): Promise<void> {
  const document = openApiDocument(operations)
  app.get('/openapi.json', async () => document)
  // The plugin's types only cover OpenAPI 3.0, but the plugin serves any version unchanged.
  await app.register(swagger, {
    mode: 'static',
    specification: { document: document as unknown as OpenAPIV3.Document },
  })
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: DOCS_POLICY })
}

/**
 * Recursive entities. The document refers to them by name, because a recursive schema cannot be written out in
 * full.
 */
const NAMED = z
  .registry<{ id: string }>()
  .add(category, { id: 'Category' })
  .add(block, { id: 'Block' })
  .add(inline, { id: 'Inline' })

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

/** The answer of a failed call. */
const FAILURE = {
  type: 'object',
  properties: {
    status: { const: false },
    error: {
      type: 'object',
      properties: {
        code: { type: 'integer' },
        message: { type: 'string' },
        details: { type: ['object', 'null'] },
      },
      required: ['code', 'message', 'details'],
    },
  },
  required: ['status', 'error'],
} as const

const LANGUAGE = {
  type: 'string',
  pattern: '^[a-z]{3}$',
  description: 'Language of the answer and of its errors, as three letters (ISO 639-3).',
} as const

/** Returns the contract as an OpenAPI 3.1 document. */
export function openApiDocument(operations: readonly Operation[]): OpenAPIV3_1.Document {
  let made: ReturnType<typeof describeAll> | undefined
  const describedOnce = () => {
    made ??= describeAll(operations)
    return made
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ondine',
      version: '1',
      description: `Every call of the service. The header \`${CARRIERS.storefront.header}\` names the storefront.`,
    },
    // Built at the first request for the document, because most installations never get such a request.
    get components() {
      return describedOnce().components
    },
    get paths() {
      return describedOnce().paths
    },
  }
}

function describeAll(operations: readonly Operation[]) {
  const schemas = new Map<string, unknown>([['Failure', FAILURE]])
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, schemas) }
  }
  const securitySchemes = Object.fromEntries(
    (['account', 'profile', 'operator'] as const).map((kind) => [
      kind,
      { type: 'apiKey' as const, in: 'header', name: CARRIERS[kind].header },
    ]),
  )
  // The casts are needed, because zod's types for JSON Schema are loose.
  return {
    paths: paths as OpenAPIV3_1.PathsObject,
    components: { securitySchemes, schemas: Object.fromEntries(schemas) } as OpenAPIV3_1.ComponentsObject,
  }
}

function describe(operation: Operation, schemas: Map<string, unknown>) {
  const input = jsonSchema(operation.input, 'input', schemas)
  const properties: Record<string, unknown> = {
    ...(input.properties as Record<string, unknown>),
    languageId: LANGUAGE,
  }
  const required = new Set(input.required as string[] | undefined)
  const inPath = Array.from(operation.path.matchAll(/:(\w+)/g), ([, name = '']) => name)
  const others = Object.keys(properties).filter((name) => !inPath.includes(name))
  const parameter = (name: string, place: 'path' | 'query') => ({
    name,
    in: place,
    required: place === 'path' || required.has(name),
    schema: properties[name],
  })
  const isRead = operation.method === 'GET'
  return {
    operationId: operation.name,
    summary: operation.summary,
    tags: [operation.path.split('/')[1]],
    security: securityOf(operation),
    parameters: [
      ...inPath.map((name) => parameter(name, 'path')),
      ...(isRead ? others.map((name) => parameter(name, 'query')) : []),
    ],
    ...(isRead ? {} : { requestBody: bodyOf(others, properties, required) }),
    responses: {
      200: { description: 'Done.', content: answerOf(operation, schemas) },
      ...errorsOf(operation),
      default: failure('Any call can fail because of its fields, its tokens or the service.'),
    },
  }
}

function bodyOf(
  names: readonly string[],
  properties: Record<string, unknown>,
  required: ReadonlySet<string>,
) {
  const needed = names.filter((name) => required.has(name))
  return {
    required: needed.length > 0,
    content: {
      [FORM]: {
        schema: {
          type: 'object',
          properties: Object.fromEntries(names.map((name) => [name, properties[name]])),
          required: needed,
        },
      },
    },
  }
}

function answerOf({ answer, output }: Operation, schemas: Map<string, unknown>) {
  if (answer === 'file') return { '*/*': {} }
  const result = jsonSchema(output, 'output', schemas)
  if (answer === 'bare') return { [JSON_TYPE]: { schema: result } }
  const properties = { status: { const: true }, result }
  return { [JSON_TYPE]: { schema: { type: 'object', properties, required: ['status', 'result'] } } }
}

function errorsOf(operation: Operation) {
  const byStatus = new Map<number, string[]>()
  for (const name of operation.errors) {
    const { code, status, text } = ERRORS[name]
    byStatus.set(status, [...(byStatus.get(status) ?? []), `${code}: ${text.eng}`])
  }
  return Object.fromEntries([...byStatus].map(([status, texts]) => [status, failure(texts.join(' '))]))
}

function failure(description: string) {
  return { description, content: { [JSON_TYPE]: { schema: { $ref: '#/components/schemas/Failure' } } } }
}

function securityOf({ as }: Operation) {
  if (as === 'visitor') return [{}]
  return as === 'profile' ? [{ account: [], profile: [] }] : [{ [as]: [] }]
}

/** Converts a schema to JSON Schema. Adds the schemas that the result refers to, to `schemas`. */
function jsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  schemas: Map<string, unknown>,
): Record<string, unknown> {
  const made = z.toJSONSchema(schema, {
    io,
    metadata: NAMED,
    unrepresentable: 'any',
    reused: 'inline',
    cycles: 'ref',
  })
  const {
    $schema: _,
    $defs = {},
    ...rest
  } = JSON.parse(JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/')) as Record<
    string,
    unknown
  > & { $defs?: Record<string, unknown> }
  for (const [name, each] of Object.entries($defs)) schemas.set(name, each)
  return rest
}
