import { Directory } from '@capacitor/filesystem'
import { chooseFiles } from '@ondine/web/features/content/downloads/chosen-files'
import type { DownloadFiles } from '@ondine/web/features/content/downloads/download-files'
import { NoRoomError } from '@ondine/web/features/content/downloads/failure'
import { OFFLINE_BASE } from '@ondine/web/features/content/downloads/offline-address'
import { type AppFolder, appFolder, FolderFullError } from './app-folder.ts'

/**
 * Makes the app store its downloads in files (V1-13). Web views do not all have service workers, which answer requests for
 * downloads on the web. Called before the first page is rendered.
 */
export function startDownloads(): void {
  // Not in the folder that the system may empty, and not in backups, which would restore files without their keys.
  chooseFiles(filesIn(appFolder(Directory.LibraryNoCloud, 'downloads')))
}

function filesIn(folder: AppFolder): DownloadFiles {
  return {
    ready: async () => {},
    requireReady: async () => {},
    // The system removes nothing from this folder.
    protect: async () => {},
    // Web views report only the space of their own storage.
    bytesLeft: async () => undefined,
    // Looking for downloads is faster than listing all files.
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
      // Web views recognise pictures by their content.
      return data && `data:image/*;base64,${data}`
    },
    read: async (address) => (await folder.readBytes(pathOf(address)))?.buffer,
  }
}

/** Returns the path of a file. The service writes these addresses, so a path that leaves the folder is a fault. */
function pathOf(address: string): string {
  const path = address.slice(OFFLINE_BASE.length)
  if (!address.startsWith(OFFLINE_BASE) || path.split('/').includes('..'))
    throw new RangeError('The address is not that of a download')
  return path
}
