import { createECDH, randomBytes } from 'node:crypto'
import { casAddDevice } from '@ondine/contract/devices'
import { type PushMessage, pushState } from '@ondine/contract/push'
import type { Page, Worker } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { signIn, visit } from './browser.ts'
import { callAs, makePerson, PASSWORD } from './people.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser, testConfiguration } from './test-browser.ts'

/** Calls that the page made to the browser's interfaces for notifications. */
interface Asked {
  permissions: number
  keys: string[]
}

declare global {
  interface Window {
    asked: Asked
  }
}

/** A stand-in for a subscription at the browser's push service, which needs a network. */
interface Subscription {
  endpoint: string
  p256dh: string
  auth: string
}

function newSubscription(): Subscription {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return {
    endpoint: `https://push.example.org/${randomBytes(9).toString('base64url')}`,
    p256dh: pair.getPublicKey('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
}

/**
 * Replaces two interfaces of the browser in a page: the permission, which headless Chromium denies, and the push
 * service, which needs a network.
 */
async function replacePushService(
  page: Page,
  subscription: Subscription,
  permission: NotificationPermission,
): Promise<void> {
  await page.addInitScript(
    ({ endpoint, p256dh, auth, given }) => {
      window.asked = { permissions: 0, keys: [] }
      Object.defineProperty(Notification, 'permission', { get: () => given, configurable: true })
      Notification.requestPermission = async () => {
        window.asked.permissions += 1
        return given
      }
      const made = {
        endpoint,
        toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
        unsubscribe: async () => {
          localStorage.removeItem('subscribed')
          return true
        },
      }
      Object.assign(PushManager.prototype, {
        subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
          window.asked.keys.push(applicationServerKey)
          localStorage.setItem('subscribed', 'yes')
          return made
        },
        getSubscription: async () => (localStorage.getItem('subscribed') === null ? null : made),
      })
    },
    { ...subscription, given: permission },
  )
}

const PATIENCE = { timeout: 60_000, interval: 250 }

describe('notifications', () => {
  const open = testBrowser()
  const configure = testConfiguration()
  const service = sharedService()

  /** Opens the device settings of a new person, in a browser that grants the permission. */
  async function onDevices() {
    await configure({ 'accounts.pushEnabled': true })
    const person = await makePerson(service, 'Camille')
    const { page } = await open()
    const subscription = newSubscription()
    await replacePushService(page, subscription, 'granted')
    await signIn(page, person.email, PASSWORD)
    await visit(page, '/live')
    await callAs(page, casAddDevice, { deviceUniqueId: `browser-${Date.now()}`, parentalProof: undefined })
    await visit(page, '/account/devices')
    return { page, subscription, section: page.getByRole('region', { name: 'Notifications' }) }
  }

  const nameOf = 'Notifications pour Camille sur cet appareil'

  it('are switched on and off in the settings where the operator offers them, and the browser is asked only after the press; blocked ones cannot be switched on, and the page says where to allow them', async () => {
    const { page, subscription, section } = await onDevices()
    const toggle = section.getByRole('switch', { name: nameOf })
    await toggle.waitFor()
    expect(await page.evaluate(() => window.asked)).toEqual({ permissions: 0, keys: [] })
    const isOn = async () => (await callAs(page, pushState, { endpoint: subscription.endpoint })).isOn
    await section.getByText(nameOf).click()
    await expect.poll(isOn, PATIENCE).toBe(true)
    await expect.poll(async () => await toggle.isChecked(), PATIENCE).toBe(true)
    const { permissions, keys } = await page.evaluate(() => window.asked)
    expect(permissions).toBe(1)
    expect(keys).toEqual([(await callAs(page, pushState, {})).publicKey])
    await visit(page, '/account/devices')
    await expect.poll(async () => await toggle.isChecked(), PATIENCE).toBe(true)
    await section.getByText(nameOf).click()
    await expect.poll(isOn, PATIENCE).toBe(false)
    await expect.poll(async () => await toggle.isChecked()).toBe(false)

    await replacePushService(page, subscription, 'denied')
    await visit(page, '/account/devices')
    await section.getByText(/^Les notifications de ce site sont bloquées dans votre navigateur\./).waitFor()
    expect(await section.getByRole('switch').count()).toBe(0)
    expect(await page.evaluate(() => window.asked)).toEqual({ permissions: 0, keys: [] })

    await configure({ 'accounts.pushEnabled': false })
    await visit(page, '/account/devices')
    await page.getByRole('heading', { name: 'Appareils', level: 1 }).waitFor()
    expect(await section.count()).toBe(0)
  })

  it('show the title to the profile that watches, and a click opens a page of this site', async () => {
    const { page, section } = await onDevices()
    await section.getByText(nameOf).click()
    await expect.poll(async () => await section.getByRole('switch').isChecked(), PATIENCE).toBe(true)
    const profileId = await page.evaluate(async () => {
      const request = indexedDB.open('ondine-downloads', 1)
      await new Promise((resolve) => request.addEventListener('success', resolve))
      const value = request.result.transaction('values').objectStore('values').get('profile')
      await new Promise((resolve) => value.addEventListener('success', resolve))
      return Number(value.result)
    })
    const worker = await workerOf(page)
    const deliver = await pushOf(page)
    const message: PushMessage = {
      profileId,
      language: 'fr',
      shown: { title: 'La Houle', body: 'Votre enregistrement est prêt.' },
      withheld: { title: 'Ondine', body: 'Du nouveau pour le profil Camille' },
      tag: 'recording-1',
      path: '/library/completed-records',
    }
    await deliver(message)
    await expect.poll(async () => await shownBy(worker), PATIENCE).toHaveLength(1)
    expect(await shownBy(worker)).toMatchObject([{ title: 'La Houle', body: message.shown.body, lang: 'fr' }])
    expect(await clicked(worker)).toBe(`${service.origin}/library/completed-records`)

    await deliver({ ...message, path: 'https://evil.test/', tag: 'recording-2' })
    await expect.poll(async () => await shownBy(worker), PATIENCE).toHaveLength(2)
    expect(await clicked(worker)).toBe(`${service.origin}/`)

    await deliver({ ...message, profileId: profileId + 1, tag: 'recording-3' })
    await expect.poll(async () => await shownBy(worker), PATIENCE).toHaveLength(3)
    expect((await shownBy(worker)).at(-1)).toMatchObject({ title: 'Ondine', body: message.withheld.body })
    expect(await clicked(worker)).toBe(`${service.origin}/`)
  })

  it('stay on when the browser replaces its subscription, also after the token has expired, and end for a viewer who is signed out', async () => {
    const { page, subscription, section } = await onDevices()
    await section.getByText(nameOf).click()
    await expect.poll(async () => await section.getByRole('switch').isChecked(), PATIENCE).toBe(true)
    const worker = await workerOf(page)
    const next = newSubscription()
    await replacePushServiceOf(worker, next)
    const { publicKey } = await callAs(page, pushState, {})
    const account = (await page.context().cookies()).find(({ name }) => name === 'ondine_account')
    if (account === undefined) throw new Error('The browser has no account token.')
    await page.context().addCookies([{ ...account, value: 'expired' }])
    expect(await changeSubscription(worker)).toEqual({ keys: [publicKey], ended: 0 })
    const isOn = async ({ endpoint }: Subscription) => (await callAs(page, pushState, { endpoint })).isOn
    expect(await isOn(next)).toBe(true)
    expect(await isOn(subscription)).toBe(false)

    await page.context().clearCookies()
    expect(await changeSubscription(worker)).toEqual({ keys: [publicKey], ended: 1 })
  })
})

/** The requests of a page's service worker to the browser's push service. */
interface Renewals {
  /** Application server keys of the new subscriptions. */
  keys: string[]
  /** Number of subscriptions that the worker has ended. */
  ended: number
}

/**
 * Replaces the same interfaces as {@link replacePushService}, in the service worker of a page. The worker's only
 * subscription is `subscription`.
 */
async function replacePushServiceOf(worker: Worker, subscription: Subscription): Promise<void> {
  await worker.evaluate(({ endpoint, p256dh, auth }) => {
    const renewals: Renewals = { keys: [], ended: 0 }
    Object.assign(globalThis, { renewals })
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    const made = {
      endpoint,
      toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
      unsubscribe: async () => {
        renewals.ended += 1
        return true
      },
    }
    Object.assign(PushManager.prototype, {
      subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
        renewals.keys.push(applicationServerKey)
        return made
      },
      getSubscription: async () => made,
    })
  }, subscription)
}

/**
 * Sends the service worker of a page the event for a changed subscription. Like some browsers, the event names
 * neither the old nor the new subscription. @returns what the worker did so far
 */
async function changeSubscription(worker: Worker): Promise<Renewals> {
  return await worker.evaluate(async () => {
    // TypeScript assumes the global scope of a window, but this code runs in a service worker.
    const scope = globalThis as unknown as Scope & { renewals: Renewals }
    const work: Promise<unknown>[] = []
    const event = Object.assign(new Event('pushsubscriptionchange'), {
      oldSubscription: null,
      newSubscription: null,
      waitUntil: (promise: Promise<unknown>) => void work.push(promise),
    })
    scope.dispatchEvent(event)
    await Promise.all(work)
    return scope.renewals
  })
}

/** Returns a function that delivers a message to the service worker of a page, as the push service does. */
async function pushOf(page: Page): Promise<(message: PushMessage) => Promise<void>> {
  const devtools = await page.context().newCDPSession(page)
  const { promise, resolve } = Promise.withResolvers<string>()
  devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const [first] = registrations
    if (first !== undefined) resolve(first.registrationId)
  })
  await devtools.send('ServiceWorker.enable')
  const registrationId = await promise
  const { origin } = new URL(page.url())
  return async (message) => {
    const data = JSON.stringify(message)
    await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
  }
}

/** A notification that the worker has shown. */
interface Shown {
  title: string
  body: string
  lang: string
  data: string
}

/** The members of a page's service worker that this test uses. */
interface Scope {
  shown: Shown[]
  registration: { showNotification: (title: string, options: Omit<Shown, 'title'>) => Promise<void> }
  clients: { openWindow: (address: string) => Promise<null> }
  dispatchEvent: (event: Event) => boolean
}

/**
 * Returns the service worker of a page. The worker stores its notifications in `shown`, because headless Chromium
 * may not show any.
 */
async function workerOf(page: Page): Promise<Worker> {
  const [worker] = page.context().serviceWorkers()
  if (!worker) throw new Error('The page has no service worker.')
  await worker.evaluate(() => {
    // TypeScript assumes the global scope of a window, but this code runs in a service worker.
    const scope = globalThis as unknown as Scope
    scope.shown = []
    scope.registration.showNotification = async (title, options) => {
      scope.shown.push({ ...options, title })
    }
  })
  return worker
}

async function shownBy(worker: Worker): Promise<Shown[]> {
  return await worker.evaluate(() => (globalThis as unknown as Scope).shown)
}

/** Clicks the newest notification. Returns the address of the window that opens. */
async function clicked(worker: Worker): Promise<string> {
  return await worker.evaluate(
    async () =>
      await new Promise<string>((resolve) => {
        const scope = globalThis as unknown as Scope
        // Chromium opens a window only after a real click, so the test replaces this method.
        scope.clients.openWindow = async (address) => {
          resolve(address)
          return null
        }
        const notification = { data: scope.shown.at(-1)?.data, close: () => undefined }
        const event = new Event('notificationclick')
        scope.dispatchEvent(Object.assign(event, { notification, waitUntil: () => undefined }))
      }),
  )
}
