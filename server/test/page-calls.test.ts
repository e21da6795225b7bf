import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestService, type TestService } from './service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService('embedded', {}, { hasPages: true })
})
afterAll(async () => await service.remove())

it.each(['7', 'x'])('a page gets the answer of an operation with fields in its path: %s', async (id) => {
  const page = await service.app.inject({ url: `/?programme=${id}`, headers: { accept: 'text/html' } })
  const { identityKey, programme } = page.json()
  const headers = { 'x-identity-key': identityKey }
  const answer = await service.app.inject({ url: `/proxy/epg/event/0/${id}`, headers })
  expect([page.statusCode, answer.json().status]).toEqual([200, false])
  expect(programme).toMatchObject({ status: false, error: { code: answer.json().error.code } })
})
