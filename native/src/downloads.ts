import { Directory } from '@capacitor/filesystem'
import { chooseFiles } from '@ondine/web/features/content/downloads/chosen-files'
import type { DownloadFiles } from '@ondine/web/features/content/downloads/download-files'
import { NoRoomError } from '@ondine/web/features/content/downloads/failure'
import { OFFLINE_BASE } from '@ondine/web/features/content/downloads/offline-address'
import { type AppFolder, appFolder, FolderFullError } from './app-folder.ts'

/**
 * Makes the app store its downloads in files (V1-13). On the web, service workers serve downloads, but not all web
 * views support them. Must be called before the first page is rendered.
 */
export function startDownloads(): void {
  // The system may empty the cache folder. Backups would restore files without their keys. This folder avoids
  // both.
  chooseFiles(filesIn(appFolder(Directory.LibraryNoCloud, 'downloads')))
}

function filesIn(folder: AppFolder): DownloadFiles {
  return {
    ready: async () => {},
    requireReady: async () => {},
    // The system never deletes files of this folder.
    protect: async () => {},
    // Web views report only the free space of their own storage, not of the device.
    bytesLeft: async () => undefined,
    // Always true, without looking for files. The caller then reads the list of downloads, which is faster.
    areThere: async () => true,
    put: async (address, content) => {
      const bytes = new Uint8Array(await content.arrayBuffer())
      try {
        await folder.writeBytes(pathOf(address), bytes)
      } catch (error) {
        throw error instanceof FolderFullError ? new NoRoomError(error.message, { cause: error }) : error
      }
    },
    list: async () => (await folder.list()).map(({ path }) => OFFLINE_BASE + path),
    delete: async (address) => await folder.delete(pathOf(address)),
    pictureAt: async (address) => {
      const data = await folder.readBase64(pathOf(address))
      // Web views detect the image type from the content.
      return data && `data:image/*;base64,${data}`
    },
    read: async (address) => (await folder.readBytes(pathOf(address)))?.buffer,
  }
}

/**
 * Returns the path of a file in the folder. Throws for a path outside the folder, because the service never writes
 * one.
 */
function pathOf(address: string): string {
  const path = address.slice(OFFLINE_BASE.length)
  if (!address.startsWith(OFFLINE_BASE) || path.split('/').includes('..'))
    throw new RangeError('The address is not that of a download')
  return path
}
