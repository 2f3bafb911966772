import { useEffect, useMemo, useState } from 'preact/hooks';
import { ApiClient, ApiError } from './api-client.js';
import type { Me } from '../api-shapes.js';
import { type AnnotatorContext, DeskContext, draftKeeperOf } from './desk.js';
import { EditJournal } from './edit-journal.js';
import { loadKeymap, saveKeymap } from './keymap.js';
import { ownerOf } from './owner-of.js';
import { KeysDialog } from './parts/keys-dialog.js';
import { Shell } from './parts/shell.js';
import { Heading, Waiting } from './parts/screen-parts.js';
import { useLoaded } from './use-loaded.js';
import { watchReturn } from './draft-keeper.js';

/** Says how to sign in, to who came without a link or with one that doesn't hold. */
function SignInScreen({ refusal }: { readonly refusal: ApiError | null }) {
  return (
    <main class="sign-in">
      <Heading title={refusal === null ? 'Open your own link' : 'This link does not let you in'} />
      {refusal === null ? (
        <p>
          You are not signed in. Every annotator has a link of their own, which ends in <code>#token=…</code>: open that
          one. It signs you in for this tab.
        </p>
      ) : (
        <p role="alert">
          The server says: {refusal.message}
          {refusal.fix === null ? '' : ` (${refusal.fix})`}
        </p>
      )}
      <p class="soft">
        Who runs the project finds the links where <code>perturbql annotate serve</code> was started, and makes a new
        one with <code>perturbql annotate invite</code>. What you did before is kept.
      </p>
    </main>
  );
}

const KEPT_AS = 'perturbql.token';

/**
 * The token of the link that opened the page: taken from the fragment, kept for this tab, and removed from the address,
 * so that it is in no history, screenshot or copied link. Null where there is none.
 */
function takeToken(): string | null {
  const given = tokenInAddress();
  if (given === null) return sessionStorage.getItem(KEPT_AS);
  sessionStorage.setItem(KEPT_AS, given);
  history.replaceState(null, '', `${location.pathname}#/`);
  return given;
}

/** The token in the address that has not been taken; null where there is none. */
function tokenInAddress(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get('token');
}

const SAID_MS = 4000;

/** The page: who signs in, and then their desk. */
export function App() {
  const [token] = useState(takeToken);
  useEffect(() => {
    function onHash(): void {
      if (tokenInAddress() === null) return;
      // A link was opened in this tab, maybe another person's: start again.
      takeToken();
      location.reload();
    }
    window.addEventListener('hashchange', onHash);
    return () => window.removeEventListener('hashchange', onHash);
  }, []);
  return token === null ? <SignInScreen refusal={null} /> : <SignedIn token={token} />;
}

function SignedIn({ token }: { readonly token: string }) {
  const api = useMemo(() => new ApiClient(token), [token]);
  const { value: me, error, away, reload } = useLoaded('me', api.me);
  if (error instanceof ApiError) return <SignInScreen refusal={error} />;
  if (me === null) return <Waiting away={away} />;
  return <PersonalDesk api={api} me={me} refreshMe={reload} />;
}

interface DeskProps {
  readonly api: ApiClient;
  readonly me: Me;
  readonly refreshMe: () => void;
}

function PersonalDesk({ api, me, refreshMe }: DeskProps) {
  const keeper = useMemo(() => draftKeeperOf(api, me), [api, me.person.name]);
  const journal = useMemo(() => new EditJournal(sessionStorage, ownerOf(me)), [api, me.person.name]);
  const [keymap, setKeymap] = useState(() => loadKeymap(localStorage));
  const [keysOpen, setKeysOpen] = useState(false);
  const [said, say] = useToast();
  useEffect(() => keeper.watch((saved) => saved !== null && refreshMe()), [keeper]);
  useEffect(() => watchReturn(keeper, () => say('Saved: the server is back.')), [keeper]);
  useEffect(() => {
    const flush = (): void => keeper.flush();
    const events: readonly (readonly [EventTarget, string])[] = [
      [window, 'online'],
      [window, 'pagehide'],
      [document, 'visibilitychange'],
    ];
    for (const [target, event] of events) target.addEventListener(event, flush);
    return () => events.forEach(([target, event]) => target.removeEventListener(event, flush));
  }, [keeper]);
  const desk: AnnotatorContext = {
    api,
    keeper,
    journal,
    me,
    refreshMe,
    keymap,
    setKeymap(next) {
      saveKeymap(localStorage, next);
      setKeymap(next);
    },
    openKeys: () => setKeysOpen(true),
    say,
  };
  return (
    <DeskContext.Provider value={desk}>
      <Shell said={said} />
      {keysOpen && <KeysDialog onClose={() => setKeysOpen(false)} />}
    </DeskContext.Provider>
  );
}

/** Returns the last message, until some seconds later or until the screen it was shown on is left. */
function useToast(): readonly [string, (text: string) => void] {
  const [said, setSaid] = useState({ text: '', on: location.hash });
  useEffect(() => {
    const silent = (): typeof said => ({ text: '', on: location.hash });
    // Asks for what is said last, which may be newer than this effect.
    const onHash = (): void => setSaid((last) => (last.on === location.hash ? last : silent()));
    const timer = setTimeout(() => setSaid(silent()), SAID_MS);
    window.addEventListener('hashchange', onHash);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('hashchange', onHash);
    };
  }, [said]);
  return [said.text, (text) => setSaid({ text, on: location.hash })];
}
