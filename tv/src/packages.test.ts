import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { SaxesParser, type SaxesTagNS } from 'saxes'
import sharp from 'sharp'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'

const MAIN = new URL('./main.ts', import.meta.url).pathname
/** The folder of the first page in the project for Android TV. */
const ANDROID_START = 'android-tv/app/src/main/assets'
const NAME = `L’été & <la nuit> "d'Oz"`
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="16" fill="#080b10"/><circle cx="32" cy="32" r="20" fill="#8fe9d6"/></svg>`
const MANIFEST = { name: NAME, background_color: '#080b10', icons: [{ src: '/icon.svg' }] }

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const each of undo.splice(0)) await each()
})

/** Starts a service with a manifest and an icon. Returns its origin. */
async function service(files: Record<string, string> = {}): Promise<string> {
  const content: Record<string, string> = {
    '/manifest.webmanifest': JSON.stringify(MANIFEST),
    '/icon.svg': ICON,
    ...files,
  }
  const server = createServer(({ url = '' }, answer) => {
    const file = content[url]
    answer.statusCode = file === undefined ? 404 : 200
    answer.end(file)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  undo.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Runs the command as an operator does. */
async function run(...settings: string[]): Promise<{ code: number; out: string; error: string }> {
  return await promisify(execFile)(process.execPath, [MAIN, ...settings]).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, error: stderr }),
    ({ code, stdout, stderr }) => ({ code, out: stdout, error: stderr }),
  )
}

function settingsOf(origin: string): string[] {
  return ['--service', origin, '--id', 'com.example.watch']
}

/** Writes the packages of a service. Returns their folder. */
async function packages(origin: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'television-'))
  undo.push(async () => await rm(folder, { recursive: true }))
  const { code, error } = await run(
    ...settingsOf(origin),
    '--version',
    '1.4.12',
    '--vendor',
    'Oz & Co',
    folder,
  )
  expect({ code, error }).toEqual({ code: 0, error: '' })
  return folder
}

interface XmlElement {
  uri: string
  name: string
  /** Attributes by `{namespace}name`. */
  attributes: Record<string, string>
  text: string
}

/** Parses a document with namespaces. Refuses one that is not well formed. */
async function elementsOf(file: string): Promise<XmlElement[]> {
  const parser = new SaxesParser({ xmlns: true })
  const all: XmlElement[] = []
  const open: XmlElement[] = []
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ uri, local, attributes }: SaxesTagNS) => {
    const named = Object.values(attributes).map(({ uri, local, value }) => [`{${uri}}${local}`, value])
    const element = { uri, name: local, attributes: Object.fromEntries(named), text: '' }
    all.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    const last = open.at(-1)
    if (last) last.text += text
  })
  parser.on('closetag', () => open.pop())
  parser.write(await readFile(file, 'utf8')).close()
  return all
}

type StartPage = Awaited<ReturnType<typeof startPageOf>>

/** Runs the script of a package's first page in a fake browser. */
async function startPageOf(
  start: string,
  { isOnline, hash = '', status = 200 }: { isOnline: boolean; hash?: string; status?: number },
) {
  const script = await readFile(join(await packages(await service()), start, 'start.js'), 'utf8')
  const note = { hidden: true, textContent: '' }
  const navigator = { language: 'fr-FR', onLine: isOnline }
  const opened: string[] = []
  const listeners = new Map<string, (event: object) => void>()
  const timers: (() => void)[] = []
  const remote = { status, requested: [] as string[] }
  /** Answers at once with the service's status. */
  class FakeRequest {
    status = 0
    onloadend: () => void = () => {}
    open(_method: string, url: string) {
      remote.requested.push(url)
    }
    send() {
      this.status = remote.status
      this.onloadend()
    }
  }
  runInNewContext(script, {
    XMLHttpRequest: FakeRequest,
    clearTimeout: () => timers.splice(0),
    navigator,
    document: { getElementById: () => note },
    location: { hash, replace: (address: string) => opened.push(address) },
    addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
    setTimeout: (run: () => void) => timers.push(run),
  })
  return {
    note,
    navigator,
    remote,
    opened,
    fire: (name: string, event: object) => listeners.get(name)?.(event),
    /** Lets so much time pass that every timer fires. */
    pass: () => {
      for (const run of timers.splice(0)) run()
    },
  }
}

async function sizeOf(file: string): Promise<string> {
  const { format, width, height } = await sharp(file).metadata()
  return `${format} ${width}x${height}`
}

describe('packages for televisions', () => {
  it('Tizen: config.xml keeps the rules of W3C’s packaged web apps and of Samsung', async () => {
    const origin = await service()
    const folder = join(await packages(origin), 'tizen')
    const elements = await elementsOf(join(folder, 'config.xml'))
    const W3C = 'http://www.w3.org/ns/widgets'
    const TIZEN = 'http://tizen.org/ns/widgets'
    const one = (name: string, uri = W3C) => elements.find((each) => each.uri === uri && each.name === name)

    expect(elements[0]).toMatchObject({ uri: W3C, name: 'widget' })
    // The format is {0-255}.{0-255}.{0-65535}.
    expect(elements[0]?.attributes).toMatchObject({
      '{}version': '1.4.12',
      '{}id': `${origin}/com.example.watch`,
    })
    expect(one('name')?.text).toBe(NAME)
    expect(one('author')?.text).toBe('Oz & Co')
    const application = one('application', TIZEN)?.attributes ?? {}
    expect(application['{}package']).toMatch(/^[A-Za-z0-9]{10}$/)
    expect(application['{}id']).toBe(`${application['{}package']}.watch`)
    expect(application['{}required_version']).toMatch(/^\d+\.\d+$/)
    expect(one('profile', TIZEN)?.attributes).toEqual({ '{}name': 'tv-samsung' })
    expect(one('allow-navigation', TIZEN)?.text).toBe('127.0.0.1')
    expect(one('content-security-policy', TIZEN)?.text).toContain(`script-src 'self' ${origin} `)
    const privileges = elements
      .filter(({ name }) => name === 'privilege')
      .map(({ attributes }) => attributes['{}name'])
    expect(privileges).toEqual([
      'http://tizen.org/privilege/internet',
      'http://tizen.org/privilege/tv.inputdevice',
    ])
    for (const file of ['content', 'icon'])
      expect((await stat(join(folder, one(file)?.attributes['{}src'] ?? ''))).isFile()).toBe(true)
    expect(await sizeOf(join(folder, 'icon.png'))).toBe('png 512x423')
    // A package that is updated keeps its id.
    const again = await elementsOf(join(await packages(await service()), 'tizen', 'config.xml'))
    expect(again.find(({ name }) => name === 'application')?.attributes).toEqual(application)
  })

  it('webOS: appinfo.json has the properties that LG documents', async () => {
    const folder = join(await packages(await service()), 'webos')
    const info: unknown = JSON.parse(await readFile(join(folder, 'appinfo.json'), 'utf8'))
    const documented = z.strictObject({
      id: z.string().regex(/^[a-z0-9][a-z0-9.-]+$/),
      version: z.string().regex(/^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/),
      vendor: z.string(),
      title: z.string(),
      type: z.literal('web'),
      main: z.string(),
      icon: z.string(),
      largeIcon: z.string(),
      splashBackground: z.string(),
      bgColor: z.string().regex(/^#[\da-f]{6}$/),
      iconColor: z.string(),
      resolution: z.enum(['1920x1080', '1280x720']),
      disableBackHistoryAPI: z.boolean(),
    })
    const { main, icon, largeIcon, splashBackground, ...rest } = documented.parse(info)
    expect(rest).toMatchObject({ id: 'com.example.watch', version: '1.4.12', title: NAME, vendor: 'Oz & Co' })
    expect((await stat(join(folder, main))).isFile()).toBe(true)
    expect(
      await Promise.all(
        [icon, largeIcon, splashBackground].map(async (file) => await sizeOf(join(folder, file))),
      ),
    ).toEqual(['png 80x80', 'png 130x130', 'png 1920x1080'])
  })

  it('the first page opens the service with the layout of a television, and escapes any name', async () => {
    const origin = await service()
    const folder = await packages(origin)
    for (const start of ['tizen', 'webos', ANDROID_START]) {
      const page = await readFile(join(folder, start, 'index.html'), 'utf8')
      expect(page).toContain('<title>L’été &amp; &lt;la nuit&gt; &quot;d&#39;Oz&quot;</title>')
      const script = await readFile(join(folder, start, 'start.js'), 'utf8')
      expect(script).toContain(`location.replace("${origin}/?television=1")`)
    }
  })

  it.each([
    ['#080b10', '#080b10', '#ffffff'],
    ['#f4f1ea', '#f4f1ea', '#000000'],
    // Forms of colours that a configuration may have too.
    ['#fff', '#ffffff', '#000000'],
    ['#080b10cc', '#080b10', '#ffffff'],
  ])('the message of the first page is readable on %s', async (color, background, letters) => {
    const manifest = JSON.stringify({ ...MANIFEST, background_color: color })
    const folder = await packages(await service({ '/manifest.webmanifest': manifest }))
    const page = await readFile(join(folder, 'webos', 'index.html'), 'utf8')
    expect(page).toContain(`background: ${background}; color: ${letters};`)
  })

  it('Android TV: the project is one that the launcher of a television shows', async () => {
    const origin = await service()
    const folder = join(await packages(origin), 'android-tv')
    const main = join(folder, 'app/src/main')
    const elements = await elementsOf(join(main, 'AndroidManifest.xml'))
    const named = (name: string) =>
      elements
        .filter((each) => each.name === name)
        .map(({ attributes }) => attributes['{http://schemas.android.com/apk/res/android}name'])
    expect(named('category')).toEqual(['android.intent.category.LEANBACK_LAUNCHER'])
    expect(named('uses-permission')).toEqual([
      'android.permission.INTERNET',
      // Without it, a web view reports a connection always, and never that the connection has returned.
      'android.permission.ACCESS_NETWORK_STATE',
    ])
    const touch = elements.find(({ attributes }) =>
      Object.values(attributes).includes('android.hardware.touchscreen'),
    )
    expect(touch?.attributes['{http://schemas.android.com/apk/res/android}required']).toBe('false')
    // A television's launcher shows the banner: 320 by 180 pixels, in the folder of its density.
    expect(await sizeOf(join(main, 'res/drawable-xhdpi/banner.png'))).toBe('png 320x180')
    const values = await elementsOf(join(main, 'res/values/values.xml'))
    const strings = Object.fromEntries(
      values.flatMap(({ name, attributes, text }) =>
        name === 'string' ? [[attributes['{}name'], text]] : [],
      ),
    )
    // Android itself reads \' and \" as quotes.
    expect(strings).toEqual({ name: `L’été & <la nuit> \\"d\\'Oz\\"`, address: `${origin}/?television=1` })
    const build = await readFile(join(folder, 'app/build.gradle.kts'), 'utf8')
    expect(build).toContain('applicationId = "com.example.watch"')
    expect(build).toContain('versionCode = 104012')
  })

  it('Android TV: a page that cannot be loaded is replaced by the first page of the package', async () => {
    const folder = await packages(await service())
    const activity = await readFile(
      join(folder, 'android-tv/app/src/main/java/tv/ondine/shell/MainActivity.java'),
      'utf8',
    )
    const asset = /"file:\/\/\/android_asset\/([\w.]+)#failed"/.exec(activity)?.[1] ?? ''
    expect((await stat(join(folder, ANDROID_START, asset))).isFile()).toBe(true)
    const [, handler = ''] = activity.split('public void onReceivedError(')
    expect(handler).toMatch(/^[^}]*if \(request\.isForMainFrame\(\)\) view\.loadUrl\(START\);\s+\}/)
    // Each class is imported, because nothing here compiles the project.
    const imported = Array.from(activity.matchAll(/^import [\w.]+\.(\w+);$/gm), ([, name]) => name)
    const used = new Set(activity.match(/\b(?:Web|Permission)[A-Z]\w+\b/g))
    expect([...used].filter((name) => !imported.includes(name))).toEqual([])
  })

  describe('the first page', () => {
    it('opens the service at once, or when the connection returns', async () => {
      const page = await startPageOf('webos', { isOnline: true })
      expect(page.opened).toHaveLength(1)
      const offline = await startPageOf('webos', { isOnline: false })
      expect([offline.opened.length, offline.note.hidden]).toEqual([0, false])
      offline.navigator.onLine = true
      offline.fire('online', {})
      expect([offline.opened.length, offline.note.hidden]).toEqual([1, true])
    })

    it.each([
      ['nothing answers', 0],
      ['a proxy answers for the service', 502],
    ])(
      'shows the message while %s, tries again, and opens the service when it answers',
      async (_why, status) => {
        const page = await startPageOf('tizen', { isOnline: true, status })
        expect([page.opened.length, page.note.hidden]).toEqual([0, false])
        expect(page.note.textContent).toContain('Le service ne répond pas')
        page.pass()
        expect([page.opened.length, page.remote.requested.length]).toEqual([0, 2])
        page.remote.status = 200
        page.pass()
        expect(page.opened).toHaveLength(1)
        expect(new URL(page.remote.requested[0] ?? '')).toMatchObject({ pathname: '/time' })
      },
    )

    it('does not open the service again and again while it cannot be loaded', async () => {
      const opens = {
        'on OK': (page: StartPage) => page.fire('keydown', { keyCode: 13 }),
        'when the connection returns': (page: StartPage) => page.fire('online', {}),
        'after a while': (page: StartPage) => page.pass(),
      }
      for (const [when, act] of Object.entries(opens)) {
        const page = await startPageOf(ANDROID_START, { isOnline: true, hash: '#failed' })
        expect([page.opened.length, page.note.hidden], when).toEqual([0, false])
        act(page)
        expect([page.opened.length, page.note.hidden], when).toEqual([1, true])
      }
    })
  })

  it.each([
    ['an id with a capital letter', ['--id', 'com.Example.watch'], 'is not possible on every platform'],
    ['an id without a domain', ['--id', 'watch'], 'is not possible on every platform'],
    ['an id of LG’s own', ['--id', 'com.webos.app.watch'], 'is not possible on every platform'],
    ['a version of two parts', ['--version', '1.0'], 'must be between'],
    ['a version that Android cannot count', ['--version', '1.0.1000'], 'must be between'],
    ['a version of which Android counts none', ['--version', '0.0.0'], 'must be between'],
    ['a service without https', ['--service', 'http://watch.example.com'], 'needs https'],
    ['a service below a path', ['--service', 'https://example.com/watch'], 'is not the address of a service'],
    ['no address', ['--service', 'watch'], 'is not the address of a service'],
    ['an address of another kind', ['--service', 'file:///etc/'], 'is not the address of a service'],
  ])('refuses %s', async (_which, changes, message) => {
    const settings = settingsOf(await service())
    const { code, out, error } = await run(...settings, ...changes, join(tmpdir(), 'never-written'))
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(error).toContain(message)
  })

  it.each([
    ['without a manifest', { '/manifest.webmanifest': '<!doctype html>' }, 'is not the manifest'],
    [
      'whose colour is no colour',
      { '/manifest.webmanifest': JSON.stringify({ ...MANIFEST, background_color: 'red;}' }) },
      'is not the manifest',
    ],
    [
      'whose icon is missing',
      { '/manifest.webmanifest': JSON.stringify({ ...MANIFEST, icons: [{ src: '/none.png' }] }) },
      'answers 404',
    ],
    ['whose icon is no picture', { '/icon.svg': 'none' }, 'is no picture'],
  ])('refuses a service %s', async (_which, files, message) => {
    const settings = settingsOf(await service(files))
    const { code, error } = await run(...settings, join(tmpdir(), 'never-written'))
    expect(code).toBe(1)
    expect(error).toContain(message)
  })

  it('without settings, prints its usage', async () => {
    expect(await run()).toMatchObject({ code: 2, out: expect.stringContaining('--service') })
  })
})
