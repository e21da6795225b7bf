import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { matchesGlob } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { SETTINGS } from '@ondine/server/env'
import { readRoles } from '@ondine/server/roles'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The properties of a Docker Compose service that this test reads. */
interface Service {
  build?: string
  command?: string[]
  hostname?: string
  restart?: string
  volumes?: string[]
  healthcheck?: { disable?: boolean }
  environment?: Record<string, string>
  env_file?: { path: string; required: boolean }[]
}

const { services } = parse(await readFile(`${ROOT}compose.yaml`, 'utf8'), { merge: true }) as {
  services: Record<string, Service>
}
const ours = Object.entries(services).filter(([, { build }]) => build !== undefined)

describe('compose.yaml', () => {
  it('has a service for each role, and one that keeps live inputs', () => {
    expect(ours.map(([name]) => name)).toEqual(['ondine', 'web', 'worker', 'ingest', 'keep'])
    for (const role of ['web', 'worker', 'ingest']) {
      const words = services[role]?.command ?? []
      expect(words.slice(0, -1)).toEqual(['script/ondine', 'serve', '--role'])
      expect([...readRoles(words.at(-1) ?? '')]).toEqual([role])
    }
  })

  it.each(ours)(
    '%s has settings that exist, with values that are accepted',
    (_name, { environment = {} }) => {
      for (const [name, value] of Object.entries(environment)) {
        expect(Object.keys(SETTINGS)).toContain(name)
        // Skip values with variables: Compose substitutes the variables, so this test cannot know these values.
        if (!value.includes('$'))
          expect(SETTINGS[name as keyof typeof SETTINGS].safeParse(value).success).toBe(true)
      }
    },
  )

  it.each(ours)('%s gets all settings that an operator writes into `.env`', (_name, service) => {
    expect(service.env_file).toEqual([{ path: '.env', required: false }])
  })

  it.each(Object.entries(services))('starts %s again after a failure', (_name, { restart }) => {
    expect(restart).toBe('unless-stopped')
  })

  // The file contains credentials.
  it.each(['.env', '.env.production', 'server/.env'])('keeps %s out of images and commits', async (path) => {
    const ignored = (await readFile(`${ROOT}.dockerignore`, 'utf8')).trim().split('\n')
    expect(ignored.some((pattern) => matchesGlob(path, pattern))).toBe(true)
    await run('git', ['check-ignore', '--quiet', path], { cwd: ROOT })
  })

  it('lets ingest find the keeper: by its host name and folder', () => {
    const { ingest, keep } = services
    expect(ingest?.hostname).toBeDefined()
    expect(keep?.hostname).toBe(ingest?.hostname)
    expect(keep?.volumes).toEqual(ingest?.volumes)
    expect(ingest?.environment?.INPUT_KEEPER).toBe('service')
    // The keeper serves no HTTP, so the health check of the image would fail.
    expect(keep?.healthcheck).toEqual({ disable: true })
  })

  it.each(ours)('%s runs a command that exists', async (_name, { command = [] }) => {
    const [program = 'script/ondine', ...words] = command
    const { stdout } = await run(`${ROOT}${program}`, [...words, '--help'])
    expect(stdout).toContain(`ondine ${words[0] ?? ''}`)
  })
})
