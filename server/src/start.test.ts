import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'

const RESOLVE_DRIZZLE = fileURLToPath(new URL('./database/resolve-drizzle.ts', import.meta.url))

/** Writes the URLs of all modules that the program loads to the file `LOADED`. The output of `console` may be cut off. */
const NOTE_LOADED = `
  import { writeFileSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  process.on('exit', () => writeFileSync(process.env.LOADED, JSON.stringify(loaded)))`

/** Runs the program that `code` is, and returns the URLs of the modules that it loads. */
async function loadedBy(code: string, ...options: string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ondine-start-'))
  try {
    const file = join(folder, 'loaded.json')
    const program = ['--input-type=module', '--eval', `${NOTE_LOADED}\n${code}`]
    await promisify(execFile)(process.execPath, [...options, ...program], {
      env: { ...process.env, LOADED: file },
    })
    return JSON.parse(await readFile(file, 'utf8'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

const importOf = (file: string) => `await import(${JSON.stringify(new URL(file, import.meta.url).href)})`

/** Loads the modules that the service loads before it opens its database. */
const SERVICE = importOf('./serve.ts')

/** A command that needs no service of its own. */
const HELP = `process.argv.splice(1, Infinity, 'ondine', '--help'); ${importOf('./main.ts')}`

describe('the modules loaded at the start', () => {
  let loaded: string[]
  beforeAll(async () => {
    loaded = await loadedBy(SERVICE, '--import', RESOLVE_DRIZZLE)
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
    'mpd-parser',
  ])('do not include %s, which an installation may never need', (name) => {
    expect(loaded.filter((url) => url.includes(`/node_modules/${name}/`))).toEqual([])
  })

  it('include the same files of Drizzle as Node itself resolves', async () => {
    const ofDrizzle = (urls: string[]) =>
      urls.filter((url) => url.includes('/node_modules/drizzle-orm/')).toSorted()
    expect(ofDrizzle(loaded).length).toBeGreaterThan(10)
    expect(ofDrizzle(loaded)).toEqual(ofDrizzle(await loadedBy(SERVICE)))
  })

  it('are fewer for a command that a running service executes', async () => {
    const ofCommand = await loadedBy(HELP, '--import', RESOLVE_DRIZZLE)
    const isOfService = (url: string) => /\/server\/src\/(?:serve|service)\.ts$/.test(url)
    expect(loaded.filter(isOfService)).toHaveLength(2)
    expect(ofCommand.filter(isOfService)).toEqual([])
    expect(ofCommand.length).toBeLessThan(loaded.length * 0.75)
  })
})
