import { downloadAsset } from '@ondine/contract/downloads'
import { expect, test, vi } from 'vitest'
import { askAsset } from './ask-asset.ts'

const sent = vi.hoisted(() => vi.fn())
vi.mock('../../../api/call.ts', () => ({ call: sent }))
vi.mock('../../ground/platform/decryption-module.ts', () => ({
  hasHardwareSecurity: async (sessionType: string) => sessionType === 'persistent-license',
  hasFairPlay: async () => true,
}))

test('V4-27 A4.9-05 the request for a download says what the decryption module of the device can do', async () => {
  const languages = { audio: 'fra', subtitle: 'non' }
  await askAsset({ assetId: 2, languages, height: 720 }, undefined)
  expect(sent).toHaveBeenCalledWith(
    downloadAsset,
    expect.objectContaining({ idAsset: 2, height: 720, hasHardwareSecurity: true, hasFairPlay: true }),
  )
})
