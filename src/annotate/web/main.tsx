import { render } from 'preact';
import { present } from '../../present.js';
import { App } from './app.js';

render(<App />, present(document.getElementById('app'), 'document.getElementById(app)'));
