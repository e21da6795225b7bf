import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { ERRORS } from '@ondine/contract/errors'
import type { Operation } from '@ondine/contract/operation'
import type { FastifyInstance } from 'fastify'
import type { OpenAPIV3, OpenAPIV3_1 } from 'openapi-types'
import * as z from 'zod'

/** `/openapi.json` and the readable page at `/docs`, both made from the contract. */
export async function registerDocumentation(
  app: FastifyInstance,
  operations: readonly Operation[],
): Promise<void> {
  const document = openApiDocument(operations)
  app.get('/openapi.json', async () => document)
  // The plugin's types stop at OpenAPI 3.0; it only hands the document on.
  await app.register(swagger, {
    mode: 'static',
    specification: { document: document as unknown as OpenAPIV3.Document },
  })
  await app.register(swaggerUi, { routePrefix: '/docs' })
}

/** The contract as an OpenAPI 3.1 document. */
export function openApiDocument(operations: readonly Operation[]): OpenAPIV3_1.Document {
  let paths: OpenAPIV3_1.PathsObject | undefined
  // The schemas come from zod, which types them loosely.
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ondine',
      version: '1',
      description: 'Every call of the service. `languageId` (fra or eng) goes with each.',
    },
    components: {
      securitySchemes: {
        account: { type: 'apiKey', in: 'header', name: 'x-auth-token' },
        profile: { type: 'apiKey', in: 'header', name: 'x-profile-token' },
      },
    },
    // Made when somebody asks: most installations are never asked.
    get paths() {
      paths ??= pathsOf(operations)
      return paths
    },
  }
}

function pathsOf(operations: readonly Operation[]): OpenAPIV3_1.PathsObject {
  const paths: OpenAPIV3_1.PathsObject = {}
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation) }
  }
  return paths
}

function describe(operation: Operation) {
  const input = jsonSchema(operation.input, 'input')
  const properties = {
    ...(input.properties as Record<string, unknown>),
    languageId: { type: 'string', enum: ['fra', 'eng'] },
  }
  const required = new Set(input.required as string[] | undefined)
  const output = jsonSchema(operation.output, 'output')
  const answer =
    operation.answer === 'envelope'
      ? {
          type: 'object',
          properties: { status: { const: true }, result: output },
          required: ['status', 'result'],
        }
      : output
  return {
    operationId: operation.name,
    summary: operation.summary,
    tags: [operation.path.split('/')[1]],
    security: securityOf(operation),
    ...(operation.method === 'GET'
      ? {
          parameters: Object.entries(properties).map(([name, schema]) => ({
            name,
            in: operation.path.includes(`:${name}`) ? 'path' : 'query',
            required: required.has(name),
            schema,
          })),
        }
      : {
          requestBody: {
            content: {
              'application/x-www-form-urlencoded': {
                schema: { type: 'object', properties, required: [...required] },
              },
            },
          },
        }),
    responses: {
      200: {
        description: 'Done.',
        content: { [operation.answer === 'file' ? 'image/*' : 'application/json']: { schema: answer } },
      },
      ...errorsOf(operation),
    },
  }
}

function errorsOf(operation: Operation) {
  const byStatus = new Map<number, string[]>()
  for (const name of operation.errors) {
    const { code, status, text } = ERRORS[name]
    byStatus.set(status, [...(byStatus.get(status) ?? []), `${code}: ${text.eng}`])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, texts]) => [status, { description: texts.join(' ') }]),
  )
}

function securityOf(operation: Operation) {
  if (operation.as === 'visitor') return [{}]
  return operation.as === 'profile' ? [{ account: [], profile: [] }] : [{ account: [] }]
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    cycles: 'ref',
  })
  return rest
}
