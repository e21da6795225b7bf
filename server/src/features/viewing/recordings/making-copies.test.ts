import { setImmediate } from 'node:timers/promises'
import { isNotNull } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { COPY_PLACES, COPY_TIMEOUTS, copiesScene, MINUTE, shared } from '../../../../test/copies-scene.ts'
import { NOON } from '../../../../test/service.ts'
import { doctorCommand } from '../../../control/doctor.ts'
import { callBegins } from '../../../database/callers.ts'
import { recordingCopies } from '../../inventory/recorded-programmes/recording-copies.table.ts'

vi.setConfig(COPY_TIMEOUTS)

describe.each(COPY_PLACES)(
  'copies of recordings that are being made, on a database of kind %s with media in a %s',
  (kind, store) => {
    const {
      scene,
      db,
      s3,
      at,
      programme,
      record,
      recorded,
      recordedByTwo,
      remove,
      end,
      make,
      meddled,
      setsOf,
      get,
      manifests,
      packets,
    } = copiesScene(kind, { store })

    it('go on after a kill where they were, once the killed process cannot write any more', async () => {
      const { id } = await recorded()
      const killed = meddled((written) => {
        if (written === 20) throw new Error('killed')
      })
      expect(await make({ segments: killed.segments })).toBe(0)
      const now = scene.service.clock.now()
      // Stands for a killed process, which does not release its copy.
      await db()
        .update(recordingCopies)
        .set({ heldBy: 'killed', heldUntil: now + MINUTE })
        .where(isNotNull(recordingCopies.heldUntil))
      const [first] = await setsOf(id)
      expect(await make()).toBe(0)
      const [, film] = await setsOf(id)
      expect((await manifests(id)).ids.has(film?.sourceId ?? '')).toBe(true)
      at(now + MINUTE + 1)
      const next = meddled(() => {})
      expect(await make({ segments: next.segments })).toBe(1)
      expect(next.names.some((name) => name.startsWith(`${first?.id}/`))).toBe(false)
      expect((await setsOf(id))[0]?.id).toBe(first?.id)
      expect((await manifests(id)).ids.has(film?.id ?? '')).toBe(true)
      expect(await packets(id, 4)).toHaveLength(25 * (40 + 16))
    })

    it('wait while the disk is full, and play the channel meanwhile', async () => {
      const { id } = await recorded()
      const full = meddled(() => {
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
      })
      expect(await make({ segments: full.segments })).toBe(0)
      const sources = (await setsOf(id)).map(({ sourceId }) => sourceId)
      expect(shared((await manifests(id)).ids, sources)).toEqual(sources)
      // The job runs every minute, but a failed copy waits longer.
      expect(await make()).toBe(0)
      at(scene.service.clock.now() + 6 * MINUTE)
      expect(await make()).toBe(1)
      expect(shared((await manifests(id)).ids, sources)).toEqual([])
    })

    it('are counted once they can be made: in the metrics, and by doctor', async () => {
      const countOf = async (state: string) =>
        Number(
          new RegExp(`^ondine_recording_copies\\{[^}]*state="${state}"[^}]*\\} (\\d+)`, 'm').exec(
            (await get('/metrics')).body,
          )?.[1],
        )
      const doctorSays = async () => {
        const said: string[] = []
        const report = ({ text }: { text: string }) => void said.push(text)
        const { signal } = new AbortController()
        // Only the check of the copies matters: other checks of `doctor` may fail on the machine that runs the
        // test.
        await doctorCommand
          .run(scene.service.context, { arguments: [], options: {} }, { signal, report })
          .catch(() => {})
        return said.join('\n')
      }
      at(NOON)
      const wanted = await programme('La Houle', 19)
      const [waiting, ready] = [await countOf('waiting'), await countOf('ready')]
      await record(wanted)
      expect(await countOf('waiting')).toBe(waiting)
      await end(wanted)
      expect(await countOf('waiting')).toBe(waiting + 1)
      const { segments } = meddled(() => {
        throw new Error('damaged')
      })
      expect(await make({ segments })).toBe(0)
      expect(await doctorSays()).toContain('1 could not be made, and will be tried again')
      at(scene.service.clock.now() + 6 * MINUTE)
      expect(await make()).toBe(1)
      expect(await countOf('waiting')).toBe(waiting)
      expect(await doctorSays()).toContain(`${waiting} waiting, ${ready + 1} ready`)
    })

    it('leave space on the disk for live inputs and imports', async () => {
      const { id } = await recorded()
      let free = 6 * 1024 ** 3
      const { segments, names } = meddled(() => {
        free = 4 * 1024 ** 3
      })
      const own = { segments, freeBytes: async () => free }
      // The free space of this disk does not matter for an object store, so the copy is completed.
      expect(await make(own)).toBe(store === 's3' ? 1 : 0)
      const written = names.length
      expect(written).toBeGreaterThan(0)
      expect(await make(own)).toBe(0)
      expect(names).toHaveLength(written)
      expect(await make()).toBe(store === 's3' ? 0 : 1)
      expect(await setsOf(id)).toHaveLength(3)
    })

    it('have the gaps of the channel, whose files may be missing, and tell the operator', async () => {
      const { id } = await recorded()
      const { segments, log } = scene.service.context
      const warned = vi.spyOn(log, 'warn')
      const read: typeof segments.read = async (file) =>
        (file.rendition.startsWith('a') && file.name === 'init.mp4') || file.name === '3.m4s'
          ? undefined
          : await segments.read(file)
      expect(await make({ segments: { ...segments, read } })).toBe(1)
      const [, film] = await setsOf(id)
      const idOf = (wantedKind: string) =>
        film?.document.renditions.find(({ kind }) => kind === wantedKind)?.id ?? ''
      const [video, audio] = [idOf('video'), idOf('audio')]
      expect(warned.mock.calls.map(([fields]) => fields)).toContainEqual(
        expect.objectContaining({
          trackSet: film?.sourceId,
          missing: expect.arrayContaining([`${video}/3.m4s`, `${audio}/init.mp4`]),
        }),
      )
      warned.mockRestore()
      const statusOf = async (rendition: string, name: string) =>
        (await get(`/media/${film?.id}/${rendition}/${name}`)).statusCode
      expect(await statusOf(video, '2.m4s')).toBe(200)
      expect(await statusOf(video, '3.m4s')).toBe(404)
      expect(await statusOf(video, '4.m4s')).toBe(200)
      expect(await statusOf(audio, '2.m4s')).toBe(404)
    })

    it('wait while the store has no media at all, such as an unmounted folder', async () => {
      const { id } = await recorded()
      const { segments, stores } = scene.service.context
      const entries = { ...stores.media.entries, isOlder: async () => false }
      const empty = {
        segments: { ...segments, read: async () => undefined },
        stores: { ...stores, media: { ...stores.media, entries } },
      }
      expect(await make(empty)).toBe(0)
      at(scene.service.clock.now() + 6 * MINUTE)
      expect(await make()).toBe(1)
      expect(await setsOf(id)).toHaveLength(3)
    })

    it('are made although an earlier one always fails', async () => {
      const { id, theirs } = await recordedByTwo()
      const { segments } = scene.service.context
      let damaged: Set<string> | undefined
      const write: typeof segments.write = async (file, bytes) => {
        if (damaged?.has(file.trackSet) ?? true) throw new Error('damaged')
        await segments.write(file, bytes)
      }
      const attempt = async () => await make({ segments: { ...segments, write } })
      expect(await attempt()).toBe(0)
      damaged = new Set((await setsOf(id)).map((set) => set.id))
      expect(damaged.size).toBe(3)
      at(scene.service.clock.now() + 6 * MINUTE)
      expect(await attempt()).toBe(1)
      expect(await setsOf(theirs)).toHaveLength(3)
      await remove(id)
    })

    it('are made once by two processes at the same time', async () => {
      const { id } = await recordedByTwo()
      const { segments, names } = meddled(() => {})
      const made = await Promise.all([make({ segments }), make({ segments })])
      expect(made[0] + made[1]).toBe(2)
      const media = names.filter((name) => name.endsWith('.m4s'))
      expect(new Set(media).size).toBe(media.length)
      for (const { id: set, from, to, document } of await setsOf(id))
        expect(media.filter((name) => name.startsWith(`${set}/`))).toHaveLength(
          (to - from) * document.renditions.length,
        )
    })

    // The embedded database runs in this process, and the test keeps the files of the store in memory. So no other
    // step of the copy yields the thread.
    if (kind === 'embedded' && store === 'folder')
      it('let calls go first while segments are encrypted', async () => {
        const { id, theirs } = await recordedByTwo()
        const { segments } = scene.service.context
        const files = new Map<string, Buffer | undefined>()
        const read: typeof segments.read = async (file) => {
          const path = `${file.trackSet}/${file.rendition}/${file.name}`
          if (!files.has(path)) files.set(path, await segments.read(file))
          return files.get(path)
        }
        const sets = new Set<string>()
        let written = 0
        let during: number | undefined
        const write: typeof segments.write = async ({ trackSet, name }) => {
          sets.add(trackSet)
          written++
          // Measures during the film of the second copy, because all source files are then in memory.
          if (sets.size !== 5 || during !== undefined || !name.endsWith('.m4s')) return
          const before = written
          during = Infinity
          const answered = callBegins()
          void (async () => {
            for (let turn = 0; turn < 20; turn++) await setImmediate()
            during = written - before
            answered()
          })()
        }
        expect(await make({ segments: { ...segments, read, write } })).toBe(2)
        expect(sets.size).toBe(6)
        // Another rendition of the segment may already have been in progress, so two writes are allowed.
        expect(during).toBeLessThanOrEqual(2)
        expect([await setsOf(id), await setsOf(theirs)].map(({ length }) => length)).toEqual([3, 3])
      })

    if (store === 's3')
      it('wait while the store is away', async () => {
        const { id } = await recorded()
        const server = s3()
        if (!server) throw new Error('There is no S3 server.')
        server.fault = () => ({ status: 503, code: 'SlowDown' })
        await expect(make()).rejects.toMatchObject({ name: 'StoreError' })
        server.fault = () => undefined
        expect(await make()).toBe(1)
        expect(await setsOf(id)).toHaveLength(3)
      })
  },
)
