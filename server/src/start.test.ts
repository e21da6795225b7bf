import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'

const RESOLVE_DRIZZLE = fileURLToPath(new URL('./database/resolve-drizzle.ts', import.meta.url))

/** Loads the modules that the service loads before it opens its database, and prints their URLs. */
const LOAD = `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  await import(${JSON.stringify(new URL('./serve.ts', import.meta.url).href)})
  console.log(JSON.stringify(loaded))`

async function loadedAtStart(...options: string[]): Promise<string[]> {
  const program = ['--input-type=module', '--eval', LOAD]
  const { stdout } = await promisify(execFile)(process.execPath, [...options, ...program])
  return JSON.parse(stdout)
}

describe('the modules loaded at the start', () => {
  let loaded: string[]
  beforeAll(async () => {
    loaded = await loadedAtStart('--import', RESOLVE_DRIZZLE)
  })

  it.each([
    '@electric-sql/pglite',
    'sharp',
    'undici',
    'nodemailer',
    'openid-client',
    '@opentelemetry/exporter-trace-otlp-http',
    '@apple/app-store-server-library',
    'google-auth-library',
    '@dailymotion/vast-client',
    '@xmldom/xmldom',
  ])('do not include %s, which an installation may never need', (name) => {
    expect(loaded.filter((url) => url.includes(`/node_modules/${name}/`))).toEqual([])
  })

  it('include the same files of Drizzle as Node itself resolves', async () => {
    const ofDrizzle = (urls: string[]) =>
      urls.filter((url) => url.includes('/node_modules/drizzle-orm/')).toSorted()
    expect(ofDrizzle(loaded).length).toBeGreaterThan(10)
    expect(ofDrizzle(loaded)).toEqual(ofDrizzle(await loadedAtStart()))
  })
})
