import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Download } from './download.ts'
import {
  addDownload,
  changeDownload,
  deleteDownload,
  deviceKey,
  listDownloads,
  setActiveProfile,
} from './store.ts'

/** A connection to the database, which contains one download. */
interface Connection extends EventTarget {
  isClosed: boolean
  onversionchange?: () => void
}

/** All connections of a test, in the order in which they were opened. */
const connections: Connection[] = []

/** Returns a request that succeeds in a later microtask. */
function requestWith(result: unknown): EventTarget & { result: unknown } {
  const request = Object.assign(new EventTarget(), { result })
  queueMicrotask(() => request.dispatchEvent(new Event('success')))
  return request
}

/** The error with which the browser aborts the next writes after their requests have succeeded; null if none. */
let abortion: DOMException | null = null

/** Returns an object store in a transaction of its own, which ends after its first write. */
function objectStore() {
  const transaction = Object.assign(new EventTarget(), { error: abortion })
  const write = () => {
    const request = requestWith(undefined)
    const end = new Event(abortion === null ? 'complete' : 'abort')
    request.addEventListener('success', () => setImmediate(() => transaction.dispatchEvent(end)))
    return request
  }
  return {
    transaction,
    getAll: () => requestWith(['download']),
    get: (key: string) => requestWith(key === '1-2' ? { key } : undefined),
    add: write,
    put: write,
    delete: write,
  }
}

/** A fake of the browser's database, whose connections the browser can close. */
const indexedDB = {
  open: () => {
    const connection = Object.assign(new EventTarget(), {
      isClosed: false,
      close: () => {},
      transaction: () => {
        if (connection.isClosed) throw new DOMException('The connection is closed', 'InvalidStateError')
        return { objectStore: () => objectStore() }
      },
    })
    connections.push(connection)
    return requestWith(connection)
  },
}

beforeEach(() => {
  vi.stubGlobal('indexedDB', indexedDB)
})
afterEach(() => {
  abortion = null
  for (const connection of connections.splice(0)) connection.dispatchEvent(new Event('close'))
  vi.unstubAllGlobals()
})

test('V1-13 downloads are read again after the browser has closed the database, and reported it', async () => {
  await listDownloads()
  const [first] = connections
  Object.assign(first ?? {}, { isClosed: true })
  first?.dispatchEvent(new Event('close'))
  expect(await listDownloads()).toEqual(['download'])
  expect(await listDownloads()).toEqual(['download'])
  expect(connections).toHaveLength(2)
})

test('V1-13 downloads are read again after the browser has closed the database without a report', async () => {
  await listDownloads()
  Object.assign(connections[0] ?? {}, { isClosed: true })
  expect(await Promise.all([listDownloads(), listDownloads()])).toEqual([['download'], ['download']])
  expect(connections).toHaveLength(2)
})

test.each([
  ['is reported closed', (old: Connection | undefined) => old?.dispatchEvent(new Event('close'))],
  ['has to give way to another version', (old: Connection | undefined) => old?.onversionchange?.()],
])('V1-13 an old connection that %s late does not end a new one', async (_what, end) => {
  await listDownloads()
  const [old] = connections
  Object.assign(old ?? {}, { isClosed: true })
  await listDownloads()
  end(old)
  expect(await listDownloads()).toEqual(['download'])
  expect(connections).toHaveLength(2)
})

test('V1-13 a database that is closed again at once is an error', async () => {
  vi.stubGlobal('indexedDB', {
    open: () => {
      const request = indexedDB.open()
      for (const connection of connections) connection.isClosed = true
      return request
    },
  })
  await expect(listDownloads()).rejects.toThrow('The connection is closed')
  expect(connections).toHaveLength(2)
})

const WRITES: [what: string, write: () => Promise<unknown>][] = [
  // The fake database reads no field of a download.
  ['a new download', async () => await addDownload({ key: '1-2' } as Download)],
  ['a change of a download', async () => await changeDownload('1-2', () => ({ state: 'STOPPED' }))],
  ['a removal', async () => await deleteDownload('1-2')],
  ['the key pair of the device', deviceKey],
  ['the active profile', async () => await setActiveProfile(7)],
  ['the end of a sign-in', async () => await setActiveProfile(null)],
]
test.each(WRITES)(
  'V1-13 A8.3-14 %s is stored once it is committed, and fails on a full disk',
  async (_what, write) => {
    await write()
    abortion = new DOMException('The disk is full', 'QuotaExceededError')
    await expect(write()).rejects.toBe(abortion)
  },
)
