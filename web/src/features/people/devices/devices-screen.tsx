import { deviceKind } from '@ondine/contract/device-names'
import type { Device } from '@ondine/contract/devices'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import { LiveIcon } from '../../../design/icons/icons.tsx'
import { LaptopIcon, PhoneIcon } from '../../../design/icons/screen-icons.tsx'
import { useKeptFocus } from '../../../design/lists/use-kept-focus.ts'
import { EmptyNote } from '../../../design/page/empty-note.tsx'
import { ScreenTitle } from '../../../design/page/screen-title.tsx'
import { useNow } from '../../../design/time/clock.ts'
import { usePlace } from '../../../words/place.tsx'
import { alertError } from '../../ground/errors/alert-error.ts'
import { QueryPart } from '../../ground/errors/query-part.tsx'
import { deviceCountQuery, devicesQuery } from './devices-query.ts'
import styles from './devices-screen.module.css'
import { deviceName } from './manage-devices.ts'
import { pairTelevision } from './pair-television.ts'
import { removeDevice } from './remove-device.ts'
import { whenUsed } from './when-used.ts'

const ICONS = { computer: <LaptopIcon />, phone: <PhoneIcon />, television: <LiveIcon /> }

/** Pairing codes of addresses for which the dialog has opened. A return to the address does not open it again. */
const asked = new Set<string>()

/**
 * The devices of the account: the list, the maximum number, and the actions that add or remove a device (A2.3-09).
 *
 * @param children sections about this device, below the list
 */
export function DevicesScreen({ code, children }: { code: string; children?: ReactNode }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { data: count } = useQuery(deviceCountQuery)
  const screen = useRef<HTMLDivElement>(null)
  useKeptFocus(screen)
  useEffect(() => {
    if (code === '' || asked.has(code)) return
    asked.add(code)
    pairTelevision(queries, code).catch(alertError)
  }, [code, queries])
  return (
    <div className={styles.screen} ref={screen}>
      <div className={styles.head}>
        <div>
          <ScreenTitle>{t('devices.title')}</ScreenTitle>
          <p className={styles.lead}>{t('devices.lead')}</p>
        </div>
        <Button
          look="primary"
          aria-haspopup="dialog"
          onPress={() => void pairTelevision(queries).catch(alertError)}
        >
          {t('devices.add')}
        </Button>
      </div>
      {count !== undefined && count.numberOfDevices > 0 && (
        <p className={styles.count}>
          {count.maxNumberOfDevices === null
            ? t('devices.countFree', { count: count.numberOfDevices })
            : t('devices.count', { count: count.numberOfDevices, max: count.maxNumberOfDevices })}
        </p>
      )}
      <QueryPart
        name={t('devices.title')}
        query={devicesQuery}
        waiting={<div className={styles.waiting} aria-busy="true" />}
      >
        {(devices) =>
          devices.length === 0 ? (
            <EmptyNote icon={<LaptopIcon />} text={t('devices.none')} />
          ) : (
            <ul className={styles.devices}>
              {devices.map((device) => (
                <DeviceRow key={device.casDeviceId} device={device} />
              ))}
            </ul>
          )
        }
      </QueryPart>
      {children}
    </div>
  )
}

function DeviceRow({ device }: { device: Device }) {
  const { t } = useTranslation()
  const place = usePlace()
  const now = useNow()
  const queries = useQueryClient()
  const name = deviceName(device, t)
  const kind = deviceKind(device.type)
  const used = t('devices.last', { date: whenUsed(device.lastLoginDate, now, place, t) })
  return (
    <li className={styles.device} data-row={device.casDeviceId} data-current={device.current || undefined}>
      <span className={styles.icon}>{ICONS[kind]}</span>
      <div className={styles.words}>
        <div className={styles.name}>
          <span>{name}</span>
          {device.current && <span className={styles.own}>{t('devices.current')}</span>}
        </div>
        <p className={styles.last}>{device.name === '' ? used : `${t(`devices.${kind}`)} · ${used}`}</p>
      </div>
      <Button
        aria-label={t('devices.removeLabel', { name })}
        aria-haspopup="dialog"
        onPress={() => void removeDevice(queries, device, name).catch(alertError)}
      >
        {t('devices.remove')}
      </Button>
    </li>
  )
}
