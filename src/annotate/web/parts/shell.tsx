import { formatCount } from '../../../counts.js';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Me } from '../../api-shapes.js';
import { useDesk } from '../desk.js';
import { itemNoun } from '../words.js';
import { hrefOf, type Route, routeOf } from '../route.js';
import { AdjudicateScreen } from '../screens/adjudicate-screen.js';
import { AgreementScreen } from '../screens/agreement-screen.js';
import { ChunkScreen } from '../screens/chunk-screen.js';
import { GuidelinesScreen } from '../screens/guidelines-screen.js';
import { HomeScreen } from '../screens/home-screen.js';
import { QualificationScreen } from '../screens/qualification-screen.js';
import { ReviewScreen } from '../screens/review-screen.js';
import { WorkScreen } from '../screens/work-screen.js';
import { useKeys } from '../use-keys.js';
import { Key } from './action-button.js';
import { Progress } from './screen-parts.js';

/** Header, the screen of the address, and what was last said. */
export function Shell({ said }: { readonly said: string }) {
  const { me, keymap, journal, openKeys, say } = useDesk();
  const route = useRoute();
  const undoElsewhere = (): void => {
    const edit = journal.toUndo;
    if (edit === null) return say('Nothing to undo.');
    journal.awaited = 'undo';
    location.hash = edit.place;
  };
  const isWorking = route.screen === 'work' || route.screen === 'adjudicate';
  useKeys(
    {
      help: openKeys,
      ...Object.fromEntries(linksOf(me).map(({ screen }) => [screen, () => (location.hash = hrefOf({ screen }))])),
      ...(isWorking ? {} : { undo: undoElsewhere }),
    },
    keymap,
  );
  return (
    <>
      <Banner route={route} />
      <main id="main">{screenOf(route)}</main>
      <p class={said === '' ? 'said' : 'said shown'} role="status">
        {said}
      </p>
    </>
  );
}

function screenOf(route: Route) {
  switch (route.screen) {
    case 'chunk':
      return <ChunkScreen key={route.chunk} chunk={route.chunk} />;
    case 'work':
      return <WorkScreen key={route.chunk} chunk={route.chunk} id={route.id} />;
    case 'adjudicate':
      return <AdjudicateScreen id={route.id} />;
    case 'review':
      return <ReviewScreen />;
    case 'agreement':
      return <AgreementScreen />;
    case 'guidelines':
      return <GuidelinesScreen />;
    case 'qualification':
      return <QualificationScreen />;
    case 'home':
      return <HomeScreen />;
  }
}

function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(location.hash));
  useLayoutEffect(() => {
    const onHash = (): void => setRoute(routeOf(location.hash));
    window.addEventListener('hashchange', onHash);
    return () => window.removeEventListener('hashchange', onHash);
  }, []);
  return route;
}

/** Screens that are reached from everywhere, each by the key of the same name. */
const ANNOTATOR_LINKS = [
  { screen: 'home', label: 'Overview' },
  { screen: 'guidelines', label: 'Guidelines' },
] as const;
const REVIEWER_LINKS = [
  ...ANNOTATOR_LINKS,
  { screen: 'review', label: 'Review' },
  { screen: 'agreement', label: 'Agreement' },
] as const;

function linksOf({ person }: Me): typeof ANNOTATOR_LINKS | typeof REVIEWER_LINKS {
  return person.role === 'reviewer' ? REVIEWER_LINKS : ANNOTATOR_LINKS;
}

function Banner({ route }: { readonly route: Route }) {
  const { me, keymap, openKeys } = useDesk();
  return (
    <header class="banner">
      <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>('h1')?.focus()}>
        To the content
      </button>
      <p class="brand">
        <span>{me.project.name}</span>
      </p>
      <nav aria-label="Screens">
        <ul>
          {linksOf(me).map(({ screen, label }) => (
            <li key={screen}>
              <a
                href={hrefOf({ screen })}
                aria-keyshortcuts={keymap[screen]}
                {...(screen === route.screen ? { 'aria-current': 'page' as const } : {})}
              >
                {label} <Key action={screen} keymap={keymap} />
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <Pace me={me} />
      <p class="who">{me.person.name}</p>
      <button type="button" class="quiet" aria-haspopup="dialog" onClick={openKeys}>
        Keys <Key action="help" keymap={keymap} />
      </button>
    </header>
  );
}

function Pace({ me }: { readonly me: Me }) {
  const { done, total, perHour } = me.progress;
  if (total === 0) return null;
  const pace = perHour === null ? '' : ` · ${formatCount(Math.round(perHour))} an hour`;
  return (
    <div class="pace">
      <Progress done={done} of={total} label={`Your ${itemNoun(me).many} handed in`} />
      <span class="figure">
        {formatCount(done)} of {formatCount(total)}
        {pace}
      </span>
    </div>
  );
}
