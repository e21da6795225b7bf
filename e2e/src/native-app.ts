import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { InMemoryFiles } from '@ondine/native/in-memory-files'
import type { Browser, BrowserContext, Locator, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { launchBrowser, openPage, type WatchedPage } from './browser.ts'
import { closeContext } from './reused-contexts.ts'
import { sharedService } from './shared-service.ts'

/** The origin of the pages of an app for Android. `APP_ORIGINS` of the shared services contains it. */
export const APP_ORIGIN = 'https://localhost'

const BUILD = fileURLToPath(new URL('../../native/build/main.ts', import.meta.url))

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** The methods of the plugins that {@link Device} answers, as the bridge of Android declares them. */
const PLUGINS = {
  App: ['exitApp'],
  Browser: ['open'],
  Filesystem: ['readFile', 'writeFile', 'rename', 'deleteFile', 'readdir', 'rmdir'],
  NativePurchases: ['getProducts', 'purchaseProduct', 'getPurchases', 'acknowledgePurchase'],
  SecureStorage: ['internalGetItem', 'internalSetItem', 'internalRemoveItem'],
}

/**
 * A replacement of Android's bridge in a page. Calls of plugins go to {@link Device}. `tellApp` delivers events of
 * the system. An event waits until its plugin has a listener. When a plugin's error message contains a code, the
 * error gets this code.
 */
const BRIDGE = `
  const listeners = new Map()
  const waiting = []
  window.androidBridge = {}
  window.Capacitor = {
    PluginHeaders: Object.entries(${JSON.stringify(PLUGINS)}).map(([name, methods]) => ({
      name,
      methods: [
        ...methods.map((name) => ({ name, rtype: 'promise' })),
        { name: 'addListener', rtype: 'callback' },
        { name: 'removeListener', rtype: 'callback' },
      ],
    })),
    nativePromise: (plugin, method, options) =>
      window.callDevice(plugin, method, options ?? {}).catch((error) => {
        throw Object.assign(error, { code: /OS-PLUG-\\S+/.exec(error.message)?.[0] })
      }),
    nativeCallback: (plugin, method, { eventName }, callback) => {
      listeners.set(plugin + ' ' + eventName, callback)
      for (const [event, data] of waiting.splice(0)) window.tellApp(event, data)
      return plugin + ' ' + eventName
    },
  }
  window.tellApp = (event, data) => {
    const listener = listeners.get(event)
    if (listener === undefined) waiting.push([event, data])
    else listener(data)
  }
`

/**
 * A device on which the app is installed. It keeps its state when a page of the app closes, as a real device's key
 * store does.
 */
export class Device {
  /** The key store of the system. */
  readonly keys = new Map<string, string>()
  /** The file system. */
  readonly storage = new InMemoryFiles()
  /** Addresses that the app has opened in the in-app browser. */
  readonly opened: string[] = []
  /** How often the app has exited. */
  exits = 0
  /** Products that the viewer has bought in the store of the device. */
  readonly bought: string[] = []
  /** Set to make the viewer cancel purchases. */
  isCancelling = false
  /** Set to make the key store fail. */
  isKeyStoreBroken = false

  /** Answers a call of a plugin. */
  answer(plugin: string, method: string, options: Record<string, unknown>): unknown {
    const key = String(options.prefixedKey)
    if (plugin === 'SecureStorage' && this.isKeyStoreBroken) throw new Error('The key store is locked.')
    if (plugin === 'Filesystem') return this.storage.answer(method, options)
    switch (`${plugin}.${method}`) {
      case 'SecureStorage.internalGetItem':
        return { data: this.keys.get(key) ?? null }
      case 'SecureStorage.internalSetItem':
        this.keys.set(key, String(options.data))
        return undefined
      case 'SecureStorage.internalRemoveItem':
        return { success: this.keys.delete(key) }
      case 'Browser.open':
        this.opened.push(String(options.url))
        return undefined
      case 'NativePurchases.getProducts':
        return { products: [{ planIdentifier: 'monthly' }] }
      case 'NativePurchases.purchaseProduct':
        if (this.isCancelling) throw new Error('User cancelled')
        this.bought.push(String(options.productIdentifier))
        return purchaseOf(String(options.productIdentifier))
      case 'NativePurchases.getPurchases':
        return { purchases: this.bought.map(purchaseOf) }
      case 'App.exitApp':
        this.exits += 1
        return undefined
      default:
        throw new Error(`The device has no ${plugin}.${method}.`)
    }
  }

  /** Returns the tokens in the key store, by header name. */
  get tokens(): Record<string, string> {
    return JSON.parse(this.keys.get('capacitor-storage_tokens') ?? '{}')
  }
}

/** Returns a purchase as the plugin reports it on Android. */
function purchaseOf(productIdentifier: string): object {
  const token = `token-of-${productIdentifier}`
  return { productIdentifier, transactionId: token, purchaseToken: token }
}

/** A page with the app, and the device on which the app runs. */
export interface OpenApp extends WatchedPage {
  device: Device
  /** Restarts the app at a path, as if its process had ended. */
  start: (path?: string) => Promise<void>
  /** Sends the app an event of the system, such as `App appUrlOpen`. */
  tell: (event: string, data?: unknown) => Promise<void>
}

/**
 * Builds the app of the shared service, and returns a function that opens it in Chromium. The pages have the app's
 * origin, and Capacitor's own runtime talks to a {@link Device}.
 */
export function nativeApp(): (device?: Device) => Promise<OpenApp> {
  let browser: Browser
  let folder: string
  const { origin } = sharedService()
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ondine-app-'))
    await promisify(execFile)(process.execPath, [BUILD, folder], {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        ONDINE_SERVICE: origin,
        ONDINE_IDENTITY_KEY: 'demo',
      },
    })
    browser = await launchBrowser()
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map(closeContext))
  })
  afterAll(async () => {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  })
  return async (device = new Device()) => {
    const { page, complaints } = await openPage(browser, APP_ORIGIN, {
      viewport: { width: 390, height: 844 },
      reducedMotion: 'reduce',
    })
    await connect(page.context(), device, folder)
    return {
      page,
      complaints,
      device,
      start: async (path = '/') => void (await page.goto(path)),
      tell: async (event, data) => await tell(page, event, data),
    }
  }
}

/** Signs in by the form of the app. */
export async function signInToApp(
  { page, start }: OpenApp,
  email: string,
  password = 'Ondine-2026!',
): Promise<void> {
  await start('/auth/login')
  const main = page.getByRole('main')
  await main.getByLabel('Adresse e-mail').fill(email)
  await main.getByLabel('Mot de passe', { exact: true }).fill(password)
  await main.getByRole('button', { name: 'Se connecter' }).click()
  const account = accountIn(page)
  await page.getByRole('dialog', { name: 'Qui regarde ?' }).or(account).first().waitFor()
  await page.keyboard.press('Escape')
  await account.waitFor()
}

/** The button of the account, which only a signed-in viewer has. */
export function accountIn(page: Page): Locator {
  return page.getByRole('button', { name: /^Compte\s:/ })
}

export async function connect(context: BrowserContext, device: Device, folder: string): Promise<void> {
  await context.exposeFunction(
    'callDevice',
    (plugin: string, method: string, options: Record<string, unknown>) =>
      device.answer(plugin, method, options),
  )
  await context.addInitScript(BRIDGE)
  await context.route(`${APP_ORIGIN}/**`, async (route) => await serve(route, folder))
}

/** Serves a file of the app as Capacitor does: every path without an extension answers with the app's page. */
async function serve(route: Route, folder: string): Promise<void> {
  const { pathname } = new URL(route.request().url())
  const name = extname(pathname) === '' ? '/index.html' : pathname
  const body = await readFile(join(folder, name)).catch(() => undefined)
  if (body === undefined) await route.fulfill({ status: 404 })
  else await route.fulfill({ body, contentType: TYPES[extname(name)] ?? 'application/octet-stream' })
}

async function tell(page: Page, event: string, data: unknown): Promise<void> {
  await page.evaluate(
    ([event, data]) => {
      Reflect.get(window, 'tellApp')(event, data)
    },
    [event, data] as const,
  )
}
