import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const ROOT = new URL('../../../', import.meta.url)
const at = (path: string) => new URL(path, ROOT).href

const TIMES = 6

/**
 * Renders each page {@link TIMES} times. Prints how many of the rendered pages' contexts are still in memory after
 * garbage collections.
 */
const PROGRAM = `
  import { setImmediate } from 'node:timers/promises'
  import { readSettings } from '${at('server/src/env.ts')}'
  import { builtApplication } from '${at('server/src/http/web-application.ts')}'
  import { createService } from '${at('server/src/service.ts')}'
  const [folder, ...paths] = process.argv.slice(1)
  const settings = readSettings({ DATA_DIR: folder + '/data', LOG_LEVEL: 'silent', CATALOGUE_CACHE_SECONDS: '0', OVERLOAD_DELAY_MS: '0' })
  const service = await createService({ settings, pages: await builtApplication(folder + '/web') })
  const kept = {}
  for (const path of paths) {
    globalThis.drawn = []
    for (let time = 0; time < ${TIMES}; time++) {
      const { statusCode } = await service.app.inject({ url: path })
      if (statusCode !== 200) throw new Error(path + ' answers ' + statusCode)
    }
    const left = () => globalThis.drawn.filter((page) => page.deref() !== undefined).length
    if (globalThis.drawn.length !== ${TIMES}) throw new Error(path + ' was drawn ' + globalThis.drawn.length + ' times')
    for (let turn = 0; turn < 20 && left() > 0; turn++) {
      await setImmediate()
      globalThis.gc()
    }
    kept[path] = left()
  }
  console.log(JSON.stringify(kept))
  process.exit()`

/** A wrapper of the built application that keeps a weak reference to the context of each rendered page. */
const NOTING = `
  import built from '${at('web/dist/server/server.js')}'
  export default {
    fetch(request, options) {
      globalThis.drawn.push(new WeakRef(options.context))
      return built.fetch(request, options)
    },
  }`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ondine-drawn-'))
  await mkdir(join(folder, 'web/server'), { recursive: true })
  await symlink(new URL('web/dist/client', ROOT), join(folder, 'web/client'))
  await writeFile(join(folder, 'web/package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'web/server/server.js'), NOTING)
})
afterAll(async () => await rm(folder, { recursive: true, force: true }))

it('the server keeps no object of a rendered page, however long the page’s queries may be kept', async () => {
  const paths = ['/', '/live', '/epg', '/search/mar', '/all-content']
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    `--import=${at('server/src/database/resolve-drizzle.ts')}`,
    '--input-type=module',
    `--eval=${PROGRAM}`,
    folder,
    ...paths,
  ])
  const kept: Record<string, number> = JSON.parse(stdout)
  expect(Object.keys(kept)).toEqual(paths)
  // One context of each path can stay in memory: an object that is made once for all pages can refer to the first page.
  expect(Math.max(...Object.values(kept)), stdout).toBeLessThanOrEqual(1)
})
