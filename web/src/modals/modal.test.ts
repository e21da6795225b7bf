import { describe, expect, expectTypeOf, test, vi } from 'vitest'
import { createModals } from './modal.ts'
import { type ModalKind, type ModalKinds, UNANSWERED } from './modal-kinds.ts'

const ITEM = { title: 'La Houle', image: null }
const QUESTION = { title: 'Supprimer ?' }

/**
 * Answers the open modal. The type of `value` is `never`, because only the calling test knows the kind of modal.
 */
function answerOpen(modals: ReturnType<typeof createModals>, value: never): void {
  const state = modals.current()
  if (state === null) throw new Error('No modal is open')
  modals.answer(state, value)
}

describe('the modal manager', () => {
  test('A2.3-01 gives the answer to the caller, and closes the modal', async () => {
    const modals = createModals()
    const answer = modals.open('confirm', QUESTION)
    expect(modals.current()?.type).toBe('confirm')
    answerOpen(modals, true as never)
    expect(modals.current()).toBeNull()
    await expect(answer).resolves.toBe(true)
  })

  test('A2.3-01 has one modal open at a time: the next one closes the previous one without an answer', async () => {
    const modals = createModals()
    const first = modals.open('confirm', QUESTION)
    const second = modals.open('input', { purpose: 'parentalCode' })
    await expect(first).resolves.toBe(false)
    expect(modals.current()?.type).toBe('input')
    answerOpen(modals, '2580' as never)
    await expect(second).resolves.toBe('2580')
  })

  test('A2.3-01 accepts one answer: a second one, and one from a closed modal, change nothing', async () => {
    const modals = createModals()
    const first = modals.open('confirm', QUESTION)
    const gone = modals.current()
    const second = modals.open('confirm', QUESTION)
    if (gone?.type !== 'confirm') throw new Error('Expected an open confirm modal')
    modals.answer(gone, true)
    expect(modals.current()?.type).toBe('confirm')
    modals.dismiss()
    modals.dismiss()
    await expect(Promise.all([first, second])).resolves.toEqual([false, false])
  })

  test('A2.3-01 returns the settled answer when no other follows', async () => {
    const modals = createModals()
    const answer = modals.open('share', { itemContent: ITEM, shareUrl: '' })
    const state = modals.current()
    if (state?.type !== 'share') throw new Error('Expected an open share modal')
    modals.settle(state, 'copied')
    modals.dismiss()
    modals.settle(state, 'email')
    await expect(answer).resolves.toBe('copied')
  })

  test('A4.6-01 what may wait opens when no modal is open, nor opened at once by an answer', async () => {
    const modals = createModals()
    await modals.free()
    const series = modals
      .open('confirm', QUESTION)
      .then(() => modals.open('input', { purpose: 'parentalCode' }))
    const free = modals.free()
    answerOpen(modals, true as never)
    await vi.waitFor(() => expect(modals.current()?.type).toBe('input'))
    await expect(Promise.race([free, Promise.resolve('not yet')])).resolves.toBe('not yet')
    answerOpen(modals, '2580' as never)
    await free
    await expect(series).resolves.toBe('2580')
  })

  test('A8.3-14 modals that wait for the same one open one after another, and each is answered', async () => {
    const modals = createModals()
    const first = modals.open('confirm', QUESTION)
    const alertLater = async (title: string, opens = true) => {
      await modals.free()
      if (opens) await modals.open('alert', { title })
    }
    const waiting = [alertLater('one'), alertLater('none', false), alertLater('two'), alertLater('three')]
    modals.dismiss()
    await first
    for (const title of ['one', 'two', 'three']) {
      await vi.waitFor(() => expect(modals.current()).toMatchObject({ type: 'alert', title }), {
        interval: 1,
      })
      modals.dismiss()
    }
    await Promise.all(waiting)
    expect(modals.current()).toBeNull()
  })

  test('A2.3-03 closes on a navigation, except the profile chooser and the privacy consent', async () => {
    const modals = createModals()
    const confirm = modals.open('confirm', QUESTION)
    modals.navigated()
    expect(modals.current()).toBeNull()
    await expect(confirm).resolves.toBe(false)
    for (const kind of Object.keys(UNANSWERED) as ModalKind[]) {
      // The manager does not read the props, so empty props are enough.
      void modals.open(kind, {})
      modals.navigated()
      const isKept = kind === 'switchProfile' || kind === 'privacyPolicyConsent'
      expect(modals.current()?.type, kind).toBe(isKept ? kind : undefined)
    }
  })

  test('notifies listeners, until they stop', () => {
    const modals = createModals()
    const changed = vi.fn()
    const stop = modals.subscribe(changed)
    void modals.open('alert', QUESTION)
    modals.navigated()
    expect(changed).toHaveBeenCalledTimes(2)
    modals.navigated()
    modals.dismiss()
    expect(changed).toHaveBeenCalledTimes(2)
    stop()
    void modals.open('alert', QUESTION)
    expect(changed).toHaveBeenCalledTimes(2)
  })

  test('V3-42 keeps the fields of the modal state', () => {
    const modals = createModals()
    void modals.open('share', { itemContent: ITEM, shareUrl: 'https://ondine.test/content/la-houle-1' })
    expect(modals.current()).toEqual({
      id: 1,
      type: 'share',
      title: '',
      description: '',
      primaryLabel: '',
      negativeLabel: '',
      value: '',
      link: '',
      shareUrl: 'https://ondine.test/content/la-houle-1',
      itemContent: ITEM,
      offers: [],
      transactionalOffers: [],
      isNeedPlayer: false,
      isDisplayModalSwitchProfile: false,
    })
    void modals.open('download', { link: 'https://ondine.test/player' })
    expect(modals.current()).toMatchObject({ isNeedPlayer: true, link: 'https://ondine.test/player' })
    void modals.open('switchProfile', { profiles: [], activeProfile: null, canAdd: true })
    expect(modals.current()).toMatchObject({ isNeedPlayer: false, isDisplayModalSwitchProfile: true })
  })

  test('V3-43 has every kind of the specification, each with its default answer', () => {
    const kinds = [
      'alert',
      'confirm',
      'restrictPayment',
      'input',
      'download',
      'subscribe',
      'switchProfile',
      'share',
      'profile',
      'manageDevices',
      'manageMedia',
      'addDevice',
      'resetPassword',
      'privacyPolicyConsent',
      'payment',
      'aISummary',
    ] satisfies ModalKind[]
    expect(Object.keys(UNANSWERED)).toEqual(expect.arrayContaining(kinds))
    for (const [kind, value] of Object.entries(UNANSWERED))
      expect([undefined, null, false], kind).toContain(value)
  })

  test('types the props and the answer of each kind', () => {
    const modals = createModals()
    expectTypeOf(modals.open<'confirm'>).returns.resolves.toEqualTypeOf<boolean>()
    expectTypeOf(modals.open<'input'>).returns.resolves.toEqualTypeOf<string | null>()
    expectTypeOf(modals.open<'share'>)
      .parameter(1)
      .toEqualTypeOf<ModalKinds['share']['props']>()
  })
})
