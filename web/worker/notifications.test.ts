import type { PushMessage } from '@ondine/contract/push'
import { expect, test } from 'vitest'
import { addressToOpen, notificationOf } from './notifications.ts'

const MESSAGE: PushMessage = {
  profileId: 7,
  language: 'fr',
  shown: { title: 'La Houle', body: 'Votre enregistrement est prêt.' },
  withheld: { title: 'Ondine', body: 'Du nouveau pour le profil Camille' },
  tag: 'recording-12',
  path: '/library/completed-records',
}

test('the profile that watches sees the title, and a click opens the page', () => {
  expect(notificationOf(MESSAGE, 7)).toEqual({
    title: 'La Houle',
    options: {
      body: 'Votre enregistrement est prêt.',
      tag: 'recording-12',
      lang: 'fr',
      dir: 'auto',
      data: { path: '/library/completed-records', profileId: 7 },
    },
  })
})

test.each([[8], [null]])('the profile %s, which watches instead, sees no title', (profile) => {
  const shown = notificationOf(MESSAGE, profile)
  expect(shown).toMatchObject({ title: 'Ondine', options: { data: { path: '/', profileId: null } } })
  expect(JSON.stringify(shown)).not.toContain('La Houle')
})

test.each([
  ['/series/le-metier-3/details', 'https://tv.test/series/le-metier-3/details'],
  ['https://tv.test/live', 'https://tv.test/live'],
  ['https://evil.test/', 'https://tv.test/'],
  ['//evil.test/', 'https://tv.test/'],
  ['/\\evil.test/', 'https://tv.test/'],
  ['javascript:alert(1)', 'https://tv.test/'],
  ['https://tv.test:8443/', 'https://tv.test/'],
  ['http://tv.test/', 'https://tv.test/'],
  [undefined, 'https://tv.test/'],
  [{ path: '/live', profileId: 7 }, 'https://tv.test/live'],
  [{ path: '//evil.test/', profileId: 7 }, 'https://tv.test/'],
  [null, 'https://tv.test/'],
])('a click on a notification for %s opens %s', (path, address) => {
  expect(addressToOpen(path, 'https://tv.test')).toBe(address)
})
