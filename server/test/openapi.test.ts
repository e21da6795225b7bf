import { OPERATIONS } from '@ondine/contract/all'
import { assets } from '@ondine/contract/catalogue'
import { configurationHistory } from '@ondine/contract/configuration-calls'
import type { Operation } from '@ondine/contract/operation'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { undocumented } from './documented-answers.ts'
import { startTestService, type TestService } from './service.ts'

/** Parts of the document that the tests read. */
interface Documented {
  operationId: string
  parameters: { name: string; in: string; required: boolean }[]
  security: Record<string, string[]>[]
  requestBody?: {
    content: Record<string, { schema: { properties: Record<string, unknown>; required: string[] } }>
  }
}
interface Document {
  paths: Record<string, Record<string, Documented>>
  components: { schemas: object; securitySchemes: Record<string, { in: string; name: string }> }
}

const FORM = 'application/x-www-form-urlencoded'

describe('/openapi.json', () => {
  let service: TestService
  let document: Document

  beforeAll(async () => {
    service = await startTestService()
    document = (await service.app.inject('/openapi.json')).json()
  })
  afterAll(async () => await service.remove())

  function documented({ path, method }: Operation): Documented {
    const found = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
    if (!found) throw new Error(`${method} ${path} is not documented.`)
    return found
  }

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate({ ...structuredClone(document) })
    expect([valid, errors ?? []]).toEqual([true, []])
    expect(validator.version).toBe('3.1')
  })

  it('refers only to parts that it contains', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to = '']) => to)
    expect(references.length).toBeGreaterThan(OPERATIONS.length)
    const missing = references.filter((to) => {
      const name = /^#\/components\/schemas\/(\w+)$/.exec(to)?.[1]
      return name === undefined || !(name in document.components.schemas)
    })
    expect(missing).toEqual([])
    expect(JSON.stringify(document)).not.toContain('$defs')
  })

  it('contains each operation once', () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    )
    expect(ids.sort()).toEqual(OPERATIONS.map(({ name }) => name).sort())
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
    'tells where each field of %s is sent, and which token it needs',
    (_name, operation) => {
      const { parameters, requestBody, security } = documented(operation)
      const inPath = [...operation.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
      expect(parameters.filter((each) => each.in === 'path').map(({ name }) => name)).toEqual(inPath)
      expect(parameters.filter((each) => each.in === 'path' && !each.required)).toEqual([])
      const inBody = Object.keys(requestBody?.content[FORM]?.schema.properties ?? {})
      const inQuery = parameters.filter((each) => each.in === 'query').map(({ name }) => name)
      const fields = [...Object.keys(operation.input.shape), 'languageId']
      expect([...inPath, ...inBody, ...inQuery].sort()).toEqual(fields.sort())
      expect(operation.method === 'GET' ? inBody : inQuery).toEqual([])
      const wanted = {
        visitor: [],
        account: ['x-auth-token'],
        profile: ['x-auth-token', 'x-profile-token'],
        operator: ['x-operator-token'],
      }[operation.as]
      const headers = security.flatMap((each) =>
        Object.keys(each).map((scheme) => document.components.securitySchemes[scheme]?.name),
      )
      expect(headers).toEqual(wanted)
    },
  )

  it('distinguishes a documented answer from an undocumented one', () => {
    const good = { status: true, result: [] }
    expect(undocumented(assets, 200, good)).toBeUndefined()
    expect(undocumented(assets, 200, { ...good, result: [{ idAsset: 'one' }] })).toContain('assets 200')
    expect(undocumented(assets, 404, good)).toContain('assets 404')
    const revision = { revision: 1, author: '', reason: '', madeAt: 0, restores: null }
    // A field that had its default value before the change has no `from` in the JSON.
    const history = { status: true, result: [{ ...revision, differences: [{ path: 'a.b', to: 1 }] }] }
    expect(undocumented(configurationHistory, 200, history)).toBeUndefined()
  })
})
