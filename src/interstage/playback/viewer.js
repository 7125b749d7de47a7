(()=>{var M_={f4:Float32Array,f8:Float64Array,u4:Uint32Array},uu=class{constructor(t){Object.assign(this,t),this.decoded=new Map}array(t){if(!this.decoded.has(t)){let{type:e,data:n}=this.arrays[t],s=Uint8Array.from(atob(n),r=>r.charCodeAt(0));this.decoded.set(t,new M_[e](s.buffer))}return this.decoded.get(t)}};function ep(){return new uu(JSON.parse(document.getElementById("scene").textContent))}var np=i=>{let t=10**Math.floor(Math.log10(i)+1e-9);return[1,2,5,10].map(e=>e*t).reduce((e,n)=>Math.abs(n-i)<Math.abs(e-i)?n:e)},fu=i=>Math.min(1e3,Math.max(.001,i)),rl=class{constructor(t){[this.start,this.end]=t.clock||t.span,this.releases=t.separations,this.time=this.start,this.playing=!1,this.slow=!0,this.speed=fu(np(Math.max(1e-9,this.end-this.start)/25)),this.listeners=[]}get rate(){let t=this.speed;if(!this.slow)return t;for(let{time:e,until:n}of this.releases){let s=n-e,r=fu(np(s/4)),[o,a]=[.3*s,2*s],l=Math.max(e-o-this.time,this.time-(e+a),0);t=Math.min(t,Math.max(r,r+l/.5))}return t}seek(t){this.time=Math.min(this.end,Math.max(this.start,t)),this.changed()}play(t=!this.playing){t&&this.time>=this.end&&(this.time=this.start),this.playing=t,this.changed()}setSpeed(t){this.speed=fu(t),this.changed()}advance(t){if(!this.playing)return;let e=Math.min(t,.1);for(;e>0&&this.time<this.end;){let n=Math.min(e,.004);this.time=Math.min(this.end,this.time+n*this.rate),e-=n}this.time>=this.end&&(this.playing=!1),this.changed()}listen(t,e=0){let n=-1/0;this.listeners.push(()=>{let s=performance.now();this.playing&&s-n<e||(n=s,t())})}lastPast(t,e=1e-9*Math.max(1,Math.abs(this.time))){return t.filter(({time:n})=>n<=this.time+e).pop()}changed(){for(let t of this.listeners)t()}};function xs(i,t=4){if(i==null||!Number.isFinite(i))return"no data";if(Math.abs(i)<1e-12)return"0";let e=Math.abs(i);return e>=1e6||e<1e-4?i.toExponential(t-2):i.toFixed(Math.max(0,t-1-Math.floor(Math.log10(e))))}function ip(i,t=1){let e=Math.min(6,Math.max(2,2-Math.floor(Math.log10(Math.max(t,1e-6)))));return`${i.toFixed(e)} s`}var ol=i=>`${Number(i.toFixed(6))} s`,al=i=>`${Number(i.toPrecision(2))}\xD7`;function sp(i,t){let e=Math.abs(i)>=1e4&&["N","N m","m"].includes(t),n=Number((e?i/1e3:i).toPrecision(3));return`${Number.isFinite(n)?n:"no data"} ${e?"k":""}${t}`}function tt(i,t={},...e){let n=document.createElement(i);for(let[s,r]of Object.entries(t))s.startsWith("on")?n.addEventListener(s.slice(2),r):s in n&&s!=="list"&&s!=="style"?n[s]=r:n.setAttribute(s,r);return n.append(...e.filter(s=>s!=null)),n}var S_="http://www.w3.org/2000/svg";function b_(i,t){let[e,n]=i.dataset.time.split(" ").map(Number),[s,r,o,a]=["x","y","width","height"].map(c=>Number(i.getAttribute(c))),l=document.createElementNS(S_,"path");return l.setAttribute("class","cursor"),i.after(l),i.style.pointerEvents="all",i.addEventListener("click",c=>{let h=i.getBoundingClientRect();t.seek(e+(c.clientX-h.left)/h.width*(n-e))}),c=>{let h=Math.round(s+(n>e?o*(c-e)/(n-e):0));l.setAttribute("d",c>=e&&c<=n?`M${h} ${r}v${a}`:"")}}function w_(i,t){let e=Number(i.dataset.time),n=i.querySelector("td:nth-child(2)"),r={type:"button",className:"seek",title:"Show this time in the playback",onclick:()=>{t.seek(e),document.getElementById("viewer").scrollIntoView({block:"nearest"})}};return n.append(tt("button",r,...n.childNodes)),{row:i,time:e}}function E_(i){for(let t of document.querySelectorAll("[data-seek]")){let n={type:"button",className:"seek",title:"Show this time in the playback",onclick:()=>{i.seek(Number(t.dataset.seek)),document.getElementById("viewer").scrollIntoView({block:"nearest"})}};t.append(tt("button",n,...t.childNodes))}}function rp(i){E_(i);let t=[...document.querySelectorAll("svg rect[data-time]")].map(s=>b_(s,i)),e=[...document.querySelectorAll("tr[data-time]")].map(s=>w_(s,i));if(!t.length&&!e.length)return;let n=()=>{for(let r of t)r(i.time);let s=i.lastPast(e);for(let{row:r}of e)r.classList.toggle("now",r===s?.row)};i.listen(n,33),n()}var js={LEFT:0,MIDDLE:1,RIGHT:2,ROTATE:0,DOLLY:1,PAN:2},Qs={ROTATE:0,PAN:1,DOLLY_PAN:2,DOLLY_ROTATE:3},kp=0,Yu=1,zp=2;var Pa=1,Hp=2,ho=3,tr=0,ti=1,vn=2,mr=0,uo=1,Zu=2,$u=3,Ju=4,Gp=5;var gr=100,Vp=101,Wp=102,Xp=103,qp=104,Yp=200,Zp=201,$p=202,Jp=203,Ku=204,ju=205,Kp=206,jp=207,Qp=208,tm=209,em=210,nm=211,im=212,sm=213,rm=214,Ul=0,Fl=1,Ol=2,Qr=3,Bl=4,kl=5,zl=6,Hl=7,Qu=0,om=1,am=2,os=0,tf=1,ef=2,nf=3,sf=4,rf=5,of=6,af=7;var lf=300,_r=301,fo=302,bc=303,wc=304,Gl=1e3,ns=1001,Vl=1002,On=1003,lm=1004;var Ia=1005;var jn=1006,Ec=1007;var Ps=1008;var ri=1009,cf=1010,hf=1011,po=1012,Tc=1013,Hi=1014,Gi=1015,Vi=1016,Ac=1017,Rc=1018,xr=1020,uf=35902,ff=35899,df=1021,pf=1022,Wi=1023,Ts=1026,Is=1027,mf=1028,Cc=1029,er=1030,Pc=1031;var Ic=1033,La=33776,Da=33777,Na=33778,Ua=33779,Lc=35840,Dc=35841,Nc=35842,Uc=35843,Fc=36196,Oc=37492,Bc=37496,kc=37488,zc=37489,Fa=37490,Hc=37491,Gc=37808,Vc=37809,Wc=37810,Xc=37811,qc=37812,Yc=37813,Zc=37814,$c=37815,Jc=37816,Kc=37817,jc=37818,Qc=37819,th=37820,eh=37821,nh=36492,ih=36494,sh=36495,rh=36283,oh=36284,Oa=36285,ah=36286;var sa=2300,Wl=2301,Dl=2302,ku=2303,zu=2400,Hu=2401,Gu=2402;var cm=3200;var lh=0,hm=1,Ls="",pi="srgb",ra="srgb-linear",oa="linear",Le="srgb";var Nl=7680;var um=519,fm=512,dm=513,pm=514,gf=515,mm=516,gm=517,_f=518,xf=519,_m=35044;var yf="300 es",Ai=2e3,to=2001;function T_(i){for(let t=i.length-1;t>=0;--t)if(i[t]>=65535)return!0;return!1}function A_(i){return ArrayBuffer.isView(i)&&!(i instanceof DataView)}function aa(i){return document.createElementNS("http://www.w3.org/1999/xhtml",i)}function xm(){let i=aa("canvas");return i.style.display="block",i}var op={},eo=null;function vf(...i){let t="THREE."+i.shift();eo?eo("log",t,...i):console.log(t,...i)}function ym(i){let t=i[0];if(typeof t=="string"&&t.startsWith("TSL:")){let e=i[1];e&&e.isStackTrace?i[0]+=" "+e.getLocation():i[1]='Stack trace not available. Enable "THREE.Node.captureStackTrace" to capture stack traces.'}return i}function Zt(...i){i=ym(i);let t="THREE."+i.shift();if(eo)eo("warn",t,...i);else{let e=i[0];e&&e.isStackTrace?console.warn(e.getError(t)):console.warn(t,...i)}}function Qt(...i){i=ym(i);let t="THREE."+i.shift();if(eo)eo("error",t,...i);else{let e=i[0];e&&e.isStackTrace?console.error(e.getError(t)):console.error(t,...i)}}function ta(...i){let t=i.join(" ");t in op||(op[t]=!0,Zt(...i))}function vm(i,t,e){return new Promise(function(n,s){function r(){switch(i.clientWaitSync(t,i.SYNC_FLUSH_COMMANDS_BIT,0)){case i.WAIT_FAILED:s();break;case i.TIMEOUT_EXPIRED:setTimeout(r,e);break;default:n()}}setTimeout(r,e)})}var Mm={[Ul]:Ul,[Ol]:zl,[Bl]:Bl,[Qr]:kl,[Fl]:Fl,[zl]:Ol,[Hl]:Hl,[kl]:Qr},ki=class{addEventListener(t,e){this._listeners===void 0&&(this._listeners={});let n=this._listeners;n[t]===void 0&&(n[t]=[]),n[t].indexOf(e)===-1&&n[t].push(e)}hasEventListener(t,e){let n=this._listeners;return n===void 0?!1:n[t]!==void 0&&n[t].indexOf(e)!==-1}removeEventListener(t,e){let n=this._listeners;if(n===void 0)return;let s=n[t];if(s!==void 0){let r=s.indexOf(e);r!==-1&&s.splice(r,1)}}dispatchEvent(t){let e=this._listeners;if(e===void 0)return;let n=e[t.type];if(n!==void 0){t.target=this;let s=n.slice(0);for(let r=0,o=s.length;r<o;r++)s[r].call(this,t);t.target=null}}},Vn=["00","01","02","03","04","05","06","07","08","09","0a","0b","0c","0d","0e","0f","10","11","12","13","14","15","16","17","18","19","1a","1b","1c","1d","1e","1f","20","21","22","23","24","25","26","27","28","29","2a","2b","2c","2d","2e","2f","30","31","32","33","34","35","36","37","38","39","3a","3b","3c","3d","3e","3f","40","41","42","43","44","45","46","47","48","49","4a","4b","4c","4d","4e","4f","50","51","52","53","54","55","56","57","58","59","5a","5b","5c","5d","5e","5f","60","61","62","63","64","65","66","67","68","69","6a","6b","6c","6d","6e","6f","70","71","72","73","74","75","76","77","78","79","7a","7b","7c","7d","7e","7f","80","81","82","83","84","85","86","87","88","89","8a","8b","8c","8d","8e","8f","90","91","92","93","94","95","96","97","98","99","9a","9b","9c","9d","9e","9f","a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","aa","ab","ac","ad","ae","af","b0","b1","b2","b3","b4","b5","b6","b7","b8","b9","ba","bb","bc","bd","be","bf","c0","c1","c2","c3","c4","c5","c6","c7","c8","c9","ca","cb","cc","cd","ce","cf","d0","d1","d2","d3","d4","d5","d6","d7","d8","d9","da","db","dc","dd","de","df","e0","e1","e2","e3","e4","e5","e6","e7","e8","e9","ea","eb","ec","ed","ee","ef","f0","f1","f2","f3","f4","f5","f6","f7","f8","f9","fa","fb","fc","fd","fe","ff"],ap=1234567,Kr=Math.PI/180,no=180/Math.PI;function mo(){let i=Math.random()*4294967295|0,t=Math.random()*4294967295|0,e=Math.random()*4294967295|0,n=Math.random()*4294967295|0;return(Vn[i&255]+Vn[i>>8&255]+Vn[i>>16&255]+Vn[i>>24&255]+"-"+Vn[t&255]+Vn[t>>8&255]+"-"+Vn[t>>16&15|64]+Vn[t>>24&255]+"-"+Vn[e&63|128]+Vn[e>>8&255]+"-"+Vn[e>>16&255]+Vn[e>>24&255]+Vn[n&255]+Vn[n>>8&255]+Vn[n>>16&255]+Vn[n>>24&255]).toLowerCase()}function ce(i,t,e){return Math.max(t,Math.min(e,i))}function Mf(i,t){return(i%t+t)%t}function R_(i,t,e,n,s){return n+(i-t)*(s-n)/(e-t)}function C_(i,t,e){return i!==t?(e-i)/(t-i):0}function ea(i,t,e){return(1-e)*i+e*t}function P_(i,t,e,n){return ea(i,t,1-Math.exp(-e*n))}function I_(i,t=1){return t-Math.abs(Mf(i,t*2)-t)}function L_(i,t,e){return i<=t?0:i>=e?1:(i=(i-t)/(e-t),i*i*(3-2*i))}function D_(i,t,e){return i<=t?0:i>=e?1:(i=(i-t)/(e-t),i*i*i*(i*(i*6-15)+10))}function N_(i,t){return i+Math.floor(Math.random()*(t-i+1))}function U_(i,t){return i+Math.random()*(t-i)}function F_(i){return i*(.5-Math.random())}function O_(i){i!==void 0&&(ap=i);let t=ap+=1831565813;return t=Math.imul(t^t>>>15,t|1),t^=t+Math.imul(t^t>>>7,t|61),((t^t>>>14)>>>0)/4294967296}function B_(i){return i*Kr}function k_(i){return i*no}function z_(i){return i>0&&Number.isInteger(i)&&2**Math.round(Math.log2(i))===i}function H_(i){return Math.pow(2,Math.ceil(Math.log(i)/Math.LN2))}function Sf(i){return Math.pow(2,Math.floor(Math.log(i)/Math.LN2))}function G_(i,t,e,n,s){let r=Math.cos,o=Math.sin,a=r(e/2),l=o(e/2),c=r((t+n)/2),h=o((t+n)/2),u=r((t-n)/2),f=o((t-n)/2),d=r((n-t)/2),p=o((n-t)/2);switch(s){case"XYX":i.set(a*h,l*u,l*f,a*c);break;case"YZY":i.set(l*f,a*h,l*u,a*c);break;case"ZXZ":i.set(l*u,l*f,a*h,a*c);break;case"XZX":i.set(a*h,l*p,l*d,a*c);break;case"YXY":i.set(l*d,a*h,l*p,a*c);break;case"ZYZ":i.set(l*p,l*d,a*h,a*c);break;default:Zt("MathUtils: .setQuaternionFromProperEuler() encountered an unknown order: "+s)}}function bf(i){switch(i.constructor){case Uint32Array:return 4294967295;case Uint16Array:return 65535;case Uint8Array:case Uint8ClampedArray:return 255;case Int32Array:return 2147483647;case Int16Array:return 32767;case Int8Array:return 127;default:return}}function Sm(i,t){if(t.constructor===Float32Array)return i;let e=bf(t);if(e===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.max(i/e,-1)}function bm(i,t){if(t.constructor===Float32Array)return i;let e=bf(t);if(e===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.round(i*e)}var wf={DEG2RAD:Kr,RAD2DEG:no,generateUUID:mo,clamp:ce,euclideanModulo:Mf,mapLinear:R_,inverseLerp:C_,lerp:ea,damp:P_,pingpong:I_,smoothstep:L_,smootherstep:D_,randInt:N_,randFloat:U_,randFloatSpread:F_,seededRandom:O_,degToRad:B_,radToDeg:k_,isPowerOfTwo:z_,ceilPowerOfTwo:H_,floorPowerOfTwo:Sf,setQuaternionFromProperEuler:G_,normalize:bm,denormalize:Sm},Pf=class Pf{constructor(t=0,e=0){this.x=t,this.y=e}get width(){return this.x}set width(t){this.x=t}get height(){return this.y}set height(t){this.y=t}set(t,e){return this.x=t,this.y=e,this}setScalar(t){return this.x=t,this.y=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;default:throw new Error("THREE.Vector2: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;default:throw new Error("THREE.Vector2: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y)}copy(t){return this.x=t.x,this.y=t.y,this}add(t){return this.x+=t.x,this.y+=t.y,this}addScalar(t){return this.x+=t,this.y+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this}subScalar(t){return this.x-=t,this.y-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this}multiply(t){return this.x*=t.x,this.y*=t.y,this}multiplyScalar(t){return this.x*=t,this.y*=t,this}divide(t){return this.x/=t.x,this.y/=t.y,this}divideScalar(t){return this.multiplyScalar(1/t)}applyMatrix3(t){let e=this.x,n=this.y,s=t.elements;return this.x=s[0]*e+s[3]*n+s[6],this.y=s[1]*e+s[4]*n+s[7],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this}clamp(t,e){return this.x=ce(this.x,t.x,e.x),this.y=ce(this.y,t.y,e.y),this}clampScalar(t,e){return this.x=ce(this.x,t,e),this.y=ce(this.y,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(ce(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(t){return this.x*t.x+this.y*t.y}cross(t){return this.x*t.y-this.y*t.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let n=this.dot(t)/e;return Math.acos(ce(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,n=this.y-t.y;return e*e+n*n}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this}equals(t){return t.x===this.x&&t.y===this.y}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this}rotateAround(t,e){let n=Math.cos(e),s=Math.sin(e),r=this.x-t.x,o=this.y-t.y;return this.x=r*n-o*s+t.x,this.y=r*s+o*n+t.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}};Pf.prototype.isVector2=!0;var It=Pf,We=class{constructor(t=0,e=0,n=0,s=1){this.isQuaternion=!0,this._x=t,this._y=e,this._z=n,this._w=s}static slerpFlat(t,e,n,s,r,o,a){let l=n[s+0],c=n[s+1],h=n[s+2],u=n[s+3],f=r[o+0],d=r[o+1],p=r[o+2],v=r[o+3];if(u!==v||l!==f||c!==d||h!==p){let g=l*f+c*d+h*p+u*v;g<0&&(f=-f,d=-d,p=-p,v=-v,g=-g);let m=1-a;if(g<.9995){let _=Math.acos(g),b=Math.sin(_);m=Math.sin(m*_)/b,a=Math.sin(a*_)/b,l=l*m+f*a,c=c*m+d*a,h=h*m+p*a,u=u*m+v*a}else{l=l*m+f*a,c=c*m+d*a,h=h*m+p*a,u=u*m+v*a;let _=1/Math.sqrt(l*l+c*c+h*h+u*u);l*=_,c*=_,h*=_,u*=_}}t[e]=l,t[e+1]=c,t[e+2]=h,t[e+3]=u}static multiplyQuaternionsFlat(t,e,n,s,r,o){let a=n[s],l=n[s+1],c=n[s+2],h=n[s+3],u=r[o],f=r[o+1],d=r[o+2],p=r[o+3];return t[e]=a*p+h*u+l*d-c*f,t[e+1]=l*p+h*f+c*u-a*d,t[e+2]=c*p+h*d+a*f-l*u,t[e+3]=h*p-a*u-l*f-c*d,t}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get w(){return this._w}set w(t){this._w=t,this._onChangeCallback()}set(t,e,n,s){return this._x=t,this._y=e,this._z=n,this._w=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(t){return this._x=t.x,this._y=t.y,this._z=t.z,this._w=t.w,this._onChangeCallback(),this}setFromEuler(t,e=!0){let n=t._x,s=t._y,r=t._z,o=t._order,a=Math.cos,l=Math.sin,c=a(n/2),h=a(s/2),u=a(r/2),f=l(n/2),d=l(s/2),p=l(r/2);switch(o){case"XYZ":this._x=f*h*u+c*d*p,this._y=c*d*u-f*h*p,this._z=c*h*p+f*d*u,this._w=c*h*u-f*d*p;break;case"YXZ":this._x=f*h*u+c*d*p,this._y=c*d*u-f*h*p,this._z=c*h*p-f*d*u,this._w=c*h*u+f*d*p;break;case"ZXY":this._x=f*h*u-c*d*p,this._y=c*d*u+f*h*p,this._z=c*h*p+f*d*u,this._w=c*h*u-f*d*p;break;case"ZYX":this._x=f*h*u-c*d*p,this._y=c*d*u+f*h*p,this._z=c*h*p-f*d*u,this._w=c*h*u+f*d*p;break;case"YZX":this._x=f*h*u+c*d*p,this._y=c*d*u+f*h*p,this._z=c*h*p-f*d*u,this._w=c*h*u-f*d*p;break;case"XZY":this._x=f*h*u-c*d*p,this._y=c*d*u-f*h*p,this._z=c*h*p+f*d*u,this._w=c*h*u+f*d*p;break;default:Zt("Quaternion: .setFromEuler() encountered an unknown order: "+o)}return e===!0&&this._onChangeCallback(),this}setFromAxisAngle(t,e){let n=e/2,s=Math.sin(n);return this._x=t.x*s,this._y=t.y*s,this._z=t.z*s,this._w=Math.cos(n),this._onChangeCallback(),this}setFromRotationMatrix(t){let e=t.elements,n=e[0],s=e[4],r=e[8],o=e[1],a=e[5],l=e[9],c=e[2],h=e[6],u=e[10],f=n+a+u;if(f>0){let d=.5/Math.sqrt(f+1);this._w=.25/d,this._x=(h-l)*d,this._y=(r-c)*d,this._z=(o-s)*d}else if(n>a&&n>u){let d=2*Math.sqrt(1+n-a-u);this._w=(h-l)/d,this._x=.25*d,this._y=(s+o)/d,this._z=(r+c)/d}else if(a>u){let d=2*Math.sqrt(1+a-n-u);this._w=(r-c)/d,this._x=(s+o)/d,this._y=.25*d,this._z=(l+h)/d}else{let d=2*Math.sqrt(1+u-n-a);this._w=(o-s)/d,this._x=(r+c)/d,this._y=(l+h)/d,this._z=.25*d}return this._onChangeCallback(),this}setFromUnitVectors(t,e){let n=t.dot(e)+1;return n<1e-8?(n=0,Math.abs(t.x)>Math.abs(t.z)?(this._x=-t.y,this._y=t.x,this._z=0,this._w=n):(this._x=0,this._y=-t.z,this._z=t.y,this._w=n)):(this._x=t.y*e.z-t.z*e.y,this._y=t.z*e.x-t.x*e.z,this._z=t.x*e.y-t.y*e.x,this._w=n),this.normalize()}angleTo(t){return 2*Math.acos(Math.abs(ce(this.dot(t),-1,1)))}rotateTowards(t,e){let n=this.angleTo(t);if(n===0)return this;let s=Math.min(1,e/n);return this.slerp(t,s),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(t){return this._x*t._x+this._y*t._y+this._z*t._z+this._w*t._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let t=this.length();return t===0?(this._x=0,this._y=0,this._z=0,this._w=1):(t=1/t,this._x=this._x*t,this._y=this._y*t,this._z=this._z*t,this._w=this._w*t),this._onChangeCallback(),this}multiply(t){return this.multiplyQuaternions(this,t)}premultiply(t){return this.multiplyQuaternions(t,this)}multiplyQuaternions(t,e){let n=t._x,s=t._y,r=t._z,o=t._w,a=e._x,l=e._y,c=e._z,h=e._w;return this._x=n*h+o*a+s*c-r*l,this._y=s*h+o*l+r*a-n*c,this._z=r*h+o*c+n*l-s*a,this._w=o*h-n*a-s*l-r*c,this._onChangeCallback(),this}slerp(t,e){let n=t._x,s=t._y,r=t._z,o=t._w,a=this.dot(t);a<0&&(n=-n,s=-s,r=-r,o=-o,a=-a);let l=1-e;if(a<.9995){let c=Math.acos(a),h=Math.sin(c);l=Math.sin(l*c)/h,e=Math.sin(e*c)/h,this._x=this._x*l+n*e,this._y=this._y*l+s*e,this._z=this._z*l+r*e,this._w=this._w*l+o*e,this._onChangeCallback()}else this._x=this._x*l+n*e,this._y=this._y*l+s*e,this._z=this._z*l+r*e,this._w=this._w*l+o*e,this.normalize();return this}slerpQuaternions(t,e,n){return this.copy(t).slerp(e,n)}random(){let t=2*Math.PI*Math.random(),e=2*Math.PI*Math.random(),n=Math.random(),s=Math.sqrt(1-n),r=Math.sqrt(n);return this.set(s*Math.sin(t),s*Math.cos(t),r*Math.sin(e),r*Math.cos(e))}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._w===this._w}fromArray(t,e=0){return this._x=t[e],this._y=t[e+1],this._z=t[e+2],this._w=t[e+3],this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._w,t}fromBufferAttribute(t,e){return this._x=t.getX(e),this._y=t.getY(e),this._z=t.getZ(e),this._w=t.getW(e),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}},If=class If{constructor(t=0,e=0,n=0){this.x=t,this.y=e,this.z=n}set(t,e,n){return n===void 0&&(n=this.z),this.x=t,this.y=e,this.z=n,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;default:throw new Error("THREE.Vector3: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw new Error("THREE.Vector3: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this}multiplyVectors(t,e){return this.x=t.x*e.x,this.y=t.y*e.y,this.z=t.z*e.z,this}applyEuler(t){return this.applyQuaternion(lp.setFromEuler(t))}applyAxisAngle(t,e){return this.applyQuaternion(lp.setFromAxisAngle(t,e))}applyMatrix3(t){let e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[3]*n+r[6]*s,this.y=r[1]*e+r[4]*n+r[7]*s,this.z=r[2]*e+r[5]*n+r[8]*s,this}applyNormalMatrix(t){return this.applyMatrix3(t).normalize()}applyMatrix4(t){let e=this.x,n=this.y,s=this.z,r=t.elements,o=1/(r[3]*e+r[7]*n+r[11]*s+r[15]);return this.x=(r[0]*e+r[4]*n+r[8]*s+r[12])*o,this.y=(r[1]*e+r[5]*n+r[9]*s+r[13])*o,this.z=(r[2]*e+r[6]*n+r[10]*s+r[14])*o,this}applyQuaternion(t){let e=this.x,n=this.y,s=this.z,r=t.x,o=t.y,a=t.z,l=t.w,c=2*(o*s-a*n),h=2*(a*e-r*s),u=2*(r*n-o*e);return this.x=e+l*c+o*u-a*h,this.y=n+l*h+a*c-r*u,this.z=s+l*u+r*h-o*c,this}project(t){return this.applyMatrix4(t.matrixWorldInverse).applyMatrix4(t.projectionMatrix)}unproject(t){return this.applyMatrix4(t.projectionMatrixInverse).applyMatrix4(t.matrixWorld)}transformDirection(t){let e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[4]*n+r[8]*s,this.y=r[1]*e+r[5]*n+r[9]*s,this.z=r[2]*e+r[6]*n+r[10]*s,this.normalize()}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this}divideScalar(t){return this.multiplyScalar(1/t)}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this}clamp(t,e){return this.x=ce(this.x,t.x,e.x),this.y=ce(this.y,t.y,e.y),this.z=ce(this.z,t.z,e.z),this}clampScalar(t,e){return this.x=ce(this.x,t,e),this.y=ce(this.y,t,e),this.z=ce(this.z,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(ce(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this}cross(t){return this.crossVectors(this,t)}crossVectors(t,e){let n=t.x,s=t.y,r=t.z,o=e.x,a=e.y,l=e.z;return this.x=s*l-r*a,this.y=r*o-n*l,this.z=n*a-s*o,this}projectOnVector(t){let e=t.lengthSq();if(e===0)return this.set(0,0,0);let n=t.dot(this)/e;return this.copy(t).multiplyScalar(n)}projectOnPlane(t){return pu.copy(this).projectOnVector(t),this.sub(pu)}reflect(t){return this.sub(pu.copy(t).multiplyScalar(2*this.dot(t)))}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let n=this.dot(t)/e;return Math.acos(ce(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,n=this.y-t.y,s=this.z-t.z;return e*e+n*n+s*s}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)+Math.abs(this.z-t.z)}setFromSpherical(t){return this.setFromSphericalCoords(t.radius,t.phi,t.theta)}setFromSphericalCoords(t,e,n){let s=Math.sin(e)*t;return this.x=s*Math.sin(n),this.y=Math.cos(e)*t,this.z=s*Math.cos(n),this}setFromCylindrical(t){return this.setFromCylindricalCoords(t.radius,t.theta,t.y)}setFromCylindricalCoords(t,e,n){return this.x=t*Math.sin(e),this.y=n,this.z=t*Math.cos(e),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this}setFromMatrixScale(t){let e=this.setFromMatrixColumn(t,0).length(),n=this.setFromMatrixColumn(t,1).length(),s=this.setFromMatrixColumn(t,2).length();return this.x=e,this.y=n,this.z=s,this}setFromMatrixColumn(t,e){return this.fromArray(t.elements,e*4)}setFromMatrix3Column(t,e){return this.fromArray(t.elements,e*3)}setFromEuler(t){return this.x=t._x,this.y=t._y,this.z=t._z,this}setFromColor(t){return this.x=t.r,this.y=t.g,this.z=t.b,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){let t=Math.random()*Math.PI*2,e=Math.random()*2-1,n=Math.sqrt(1-e*e);return this.x=n*Math.cos(t),this.y=e,this.z=n*Math.sin(t),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}};If.prototype.isVector3=!0;var F=If,pu=new F,lp=new We,Lf=class Lf{constructor(t,e,n,s,r,o,a,l,c){this.elements=[1,0,0,0,1,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,l,c)}set(t,e,n,s,r,o,a,l,c){let h=this.elements;return h[0]=t,h[1]=s,h[2]=a,h[3]=e,h[4]=r,h[5]=l,h[6]=n,h[7]=o,h[8]=c,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(t){let e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],this}extractBasis(t,e,n){return t.setFromMatrix3Column(this,0),e.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(t){let e=t.elements;return this.set(e[0],e[4],e[8],e[1],e[5],e[9],e[2],e[6],e[10]),this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[3],l=n[6],c=n[1],h=n[4],u=n[7],f=n[2],d=n[5],p=n[8],v=s[0],g=s[3],m=s[6],_=s[1],b=s[4],M=s[7],R=s[2],T=s[5],x=s[8];return r[0]=o*v+a*_+l*R,r[3]=o*g+a*b+l*T,r[6]=o*m+a*M+l*x,r[1]=c*v+h*_+u*R,r[4]=c*g+h*b+u*T,r[7]=c*m+h*M+u*x,r[2]=f*v+d*_+p*R,r[5]=f*g+d*b+p*T,r[8]=f*m+d*M+p*x,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[3]*=t,e[6]*=t,e[1]*=t,e[4]*=t,e[7]*=t,e[2]*=t,e[5]*=t,e[8]*=t,this}determinant(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8];return e*o*h-e*a*c-n*r*h+n*a*l+s*r*c-s*o*l}invert(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8],u=h*o-a*c,f=a*l-h*r,d=c*r-o*l,p=e*u+n*f+s*d;if(p===0)return this.set(0,0,0,0,0,0,0,0,0);let v=1/p;return t[0]=u*v,t[1]=(s*c-h*n)*v,t[2]=(a*n-s*o)*v,t[3]=f*v,t[4]=(h*e-s*l)*v,t[5]=(s*r-a*e)*v,t[6]=d*v,t[7]=(n*l-c*e)*v,t[8]=(o*e-n*r)*v,this}transpose(){let t,e=this.elements;return t=e[1],e[1]=e[3],e[3]=t,t=e[2],e[2]=e[6],e[6]=t,t=e[5],e[5]=e[7],e[7]=t,this}getNormalMatrix(t){return this.setFromMatrix4(t).invert().transpose()}transposeIntoArray(t){let e=this.elements;return t[0]=e[0],t[1]=e[3],t[2]=e[6],t[3]=e[1],t[4]=e[4],t[5]=e[7],t[6]=e[2],t[7]=e[5],t[8]=e[8],this}setUvTransform(t,e,n,s,r,o,a){let l=Math.cos(r),c=Math.sin(r);return this.set(n*l,n*c,-n*(l*o+c*a)+o+t,-s*c,s*l,-s*(-c*o+l*a)+a+e,0,0,1),this}scale(t,e){return ta("Matrix3: .scale() is deprecated. Use .makeScale() instead."),this.premultiply(mu.makeScale(t,e)),this}rotate(t){return ta("Matrix3: .rotate() is deprecated. Use .makeRotation() instead."),this.premultiply(mu.makeRotation(-t)),this}translate(t,e){return ta("Matrix3: .translate() is deprecated. Use .makeTranslation() instead."),this.premultiply(mu.makeTranslation(t,e)),this}makeTranslation(t,e){return t.isVector2?this.set(1,0,t.x,0,1,t.y,0,0,1):this.set(1,0,t,0,1,e,0,0,1),this}makeRotation(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,n,e,0,0,0,1),this}makeScale(t,e){return this.set(t,0,0,0,e,0,0,0,1),this}equals(t){let e=this.elements,n=t.elements;for(let s=0;s<9;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<9;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){let n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t}clone(){return new this.constructor().fromArray(this.elements)}};Lf.prototype.isMatrix3=!0;var ee=Lf,mu=new ee,cp=new ee().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),hp=new ee().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function V_(){let i={enabled:!0,workingColorSpace:ra,spaces:{},convert:function(s,r,o){return this.enabled===!1||r===o||!r||!o||(this.spaces[r].transfer===Le&&(s.r=Es(s.r),s.g=Es(s.g),s.b=Es(s.b)),this.spaces[r].primaries!==this.spaces[o].primaries&&(s.applyMatrix3(this.spaces[r].toXYZ),s.applyMatrix3(this.spaces[o].fromXYZ)),this.spaces[o].transfer===Le&&(s.r=jr(s.r),s.g=jr(s.g),s.b=jr(s.b))),s},workingToColorSpace:function(s,r){return this.convert(s,this.workingColorSpace,r)},colorSpaceToWorking:function(s,r){return this.convert(s,r,this.workingColorSpace)},getPrimaries:function(s){return this.spaces[s].primaries},getTransfer:function(s){return s===Ls?oa:this.spaces[s].transfer},getToneMappingMode:function(s){return this.spaces[s].outputColorSpaceConfig.toneMappingMode||"standard"},getLuminanceCoefficients:function(s,r=this.workingColorSpace){return s.fromArray(this.spaces[r].luminanceCoefficients)},define:function(s){Object.assign(this.spaces,s)},_getMatrix:function(s,r,o){return s.copy(this.spaces[o].fromXYZ).multiply(this.spaces[r].toXYZ)},_getDrawingBufferColorSpace:function(s){return this.spaces[s].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(s=this.workingColorSpace){return this.spaces[s].workingColorSpaceConfig.unpackColorSpace}},t=[.64,.33,.3,.6,.15,.06],e=[.2126,.7152,.0722],n=[.3127,.329];return i.define({[ra]:{primaries:t,whitePoint:n,transfer:oa,toXYZ:cp,fromXYZ:hp,luminanceCoefficients:e,workingColorSpaceConfig:{unpackColorSpace:pi},outputColorSpaceConfig:{drawingBufferColorSpace:pi}},[pi]:{primaries:t,whitePoint:n,transfer:Le,toXYZ:cp,fromXYZ:hp,luminanceCoefficients:e,outputColorSpaceConfig:{drawingBufferColorSpace:pi}}}),i}var ve=V_();function Es(i){return i<.04045?i*.0773993808:Math.pow(i*.9478672986+.0521327014,2.4)}function jr(i){return i<.0031308?i*12.92:1.055*Math.pow(i,.41666)-.055}var Br,Xl=class{static getDataURL(t,e="image/png"){if(/^data:/i.test(t.src)||typeof HTMLCanvasElement>"u")return t.src;let n;if(t instanceof HTMLCanvasElement)n=t;else{Br===void 0&&(Br=aa("canvas")),Br.width=t.width,Br.height=t.height;let s=Br.getContext("2d");t instanceof ImageData?s.putImageData(t,0,0):s.drawImage(t,0,0,t.width,t.height),n=Br}return n.toDataURL(e)}static sRGBToLinear(t){if(typeof HTMLImageElement<"u"&&t instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&t instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&t instanceof ImageBitmap){let e=aa("canvas");e.width=t.width,e.height=t.height;let n=e.getContext("2d");n.drawImage(t,0,0,t.width,t.height);let s=n.getImageData(0,0,t.width,t.height),r=s.data;for(let o=0;o<r.length;o++)r[o]=Es(r[o]/255)*255;return n.putImageData(s,0,0),e}else if(t.data){let e=t.data.slice(0);for(let n=0;n<e.length;n++)e instanceof Uint8Array||e instanceof Uint8ClampedArray?e[n]=Math.floor(Es(e[n]/255)*255):e[n]=Es(e[n]);return{data:e,width:t.width,height:t.height}}else return Zt("ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied."),t}},W_=0,io=class{constructor(t=null){this.isTextureSource=!0,Object.defineProperty(this,"id",{value:W_++}),this.uuid=mo(),this.data=t,this.dataReady=!0,this.version=0}getSize(t){let e=this.data;return typeof HTMLVideoElement<"u"&&e instanceof HTMLVideoElement?t.set(e.videoWidth,e.videoHeight,0):typeof VideoFrame<"u"&&e instanceof VideoFrame?t.set(e.displayWidth,e.displayHeight,0):e!==null?t.set(e.width||0,e.height||0,e.depth||0):t.set(0,0,0),t}set needsUpdate(t){t===!0&&this.version++}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.images[this.uuid]!==void 0)return t.images[this.uuid];let n={uuid:this.uuid,url:""},s=this.data;if(s!==null){let r;if(Array.isArray(s)){r=[];for(let o=0,a=s.length;o<a;o++)s[o].isDataTexture?r.push(gu(s[o].image)):r.push(gu(s[o]))}else r=gu(s);n.url=r}return e||(t.images[this.uuid]=n),n}};function gu(i){return typeof HTMLImageElement<"u"&&i instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&i instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&i instanceof ImageBitmap?Xl.getDataURL(i):i.data?{data:Array.from(i.data),width:i.width,height:i.height,type:i.data.constructor.name}:(Zt("Texture: Unable to serialize Texture."),{})}var X_=0,_u=new F,ni=class i extends ki{constructor(t=i.DEFAULT_IMAGE,e=i.DEFAULT_MAPPING,n=ns,s=ns,r=jn,o=Ps,a=Wi,l=ri,c=i.DEFAULT_ANISOTROPY,h=Ls){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:X_++}),this.uuid=mo(),this.name="",this.source=new io(t),this.mipmaps=[],this.mapping=e,this.channel=0,this.wrapS=n,this.wrapT=s,this.magFilter=r,this.minFilter=o,this.anisotropy=c,this.format=a,this.internalFormat=null,this.type=l,this.offset=new It(0,0),this.repeat=new It(1,1),this.center=new It(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new ee,this.generateMipmaps=!0,this.mipmapsAutoUpdate=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=h,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(t&&t.depth&&t.depth>1),this.pmremVersion=0,this.isPMREMTexture=!1,this.normalized=!1}get width(){return this.source.getSize(_u).x}get height(){return this.source.getSize(_u).y}get depth(){return this.source.getSize(_u).z}get image(){return this.source.data}set image(t){this.source.data=t}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(t){return this.name=t.name,this.source=t.source,this.mipmaps=t.mipmaps.slice(0),this.mapping=t.mapping,this.channel=t.channel,this.wrapS=t.wrapS,this.wrapT=t.wrapT,this.magFilter=t.magFilter,this.minFilter=t.minFilter,this.anisotropy=t.anisotropy,this.format=t.format,this.internalFormat=t.internalFormat,this.type=t.type,this.normalized=t.normalized,this.offset.copy(t.offset),this.repeat.copy(t.repeat),this.center.copy(t.center),this.rotation=t.rotation,this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrix.copy(t.matrix),this.generateMipmaps=t.generateMipmaps,this.mipmapsAutoUpdate=t.mipmapsAutoUpdate,this.premultiplyAlpha=t.premultiplyAlpha,this.flipY=t.flipY,this.unpackAlignment=t.unpackAlignment,this.colorSpace=t.colorSpace,this.renderTarget=t.renderTarget,this.isRenderTargetTexture=t.isRenderTargetTexture,this.isPMREMTexture=t.isPMREMTexture,this.isArrayTexture=t.isArrayTexture,this.userData=JSON.parse(JSON.stringify(t.userData)),this.needsUpdate=!0,this}setValues(t){for(let e in t){let n=t[e];if(n===void 0){Zt(`Texture.setValues(): parameter '${e}' has value of undefined.`);continue}let s=this[e];if(s===void 0){Zt(`Texture.setValues(): property '${e}' does not exist.`);continue}s&&n&&s.isVector2&&n.isVector2||s&&n&&s.isVector3&&n.isVector3||s&&n&&s.isMatrix3&&n.isMatrix3?s.copy(n):this[e]=n}}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.textures[this.uuid]!==void 0)return t.textures[this.uuid];let n={metadata:{version:4.7,type:"Texture",generator:"Texture.toJSON"},uuid:this.uuid,name:this.name,image:this.source.toJSON(t).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,normalized:this.normalized,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,mipmapsAutoUpdate:this.mipmapsAutoUpdate,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(n.userData=this.userData),e||(t.textures[this.uuid]=n),n}dispose(){this.dispatchEvent({type:"dispose"})}transformUv(t){if(this.mapping!==lf)return t;if(t.applyMatrix3(this.matrix),t.x<0||t.x>1)switch(this.wrapS){case Gl:t.x=t.x-Math.floor(t.x);break;case ns:t.x=t.x<0?0:1;break;case Vl:Math.abs(Math.floor(t.x)%2)===1?t.x=Math.ceil(t.x)-t.x:t.x=t.x-Math.floor(t.x);break}if(t.y<0||t.y>1)switch(this.wrapT){case Gl:t.y=t.y-Math.floor(t.y);break;case ns:t.y=t.y<0?0:1;break;case Vl:Math.abs(Math.floor(t.y)%2)===1?t.y=Math.ceil(t.y)-t.y:t.y=t.y-Math.floor(t.y);break}return this.flipY&&(t.y=1-t.y),t}set needsUpdate(t){t===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(t){t===!0&&this.pmremVersion++}};ni.DEFAULT_IMAGE=null;ni.DEFAULT_MAPPING=lf;ni.DEFAULT_ANISOTROPY=1;var Df=class Df{constructor(t=0,e=0,n=0,s=1){this.x=t,this.y=e,this.z=n,this.w=s}get width(){return this.z}set width(t){this.z=t}get height(){return this.w}set height(t){this.w=t}set(t,e,n,s){return this.x=t,this.y=e,this.z=n,this.w=s,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this.w=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setW(t){return this.w=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;case 3:this.w=e;break;default:throw new Error("THREE.Vector4: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw new Error("THREE.Vector4: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this.w=t.w!==void 0?t.w:1,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this.w+=t.w,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this.w+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this.w=t.w+e.w,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this.w+=t.w*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this.w-=t.w,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this.w-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this.w=t.w-e.w,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this.w*=t.w,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this.w*=t,this}applyMatrix4(t){let e=this.x,n=this.y,s=this.z,r=this.w,o=t.elements;return this.x=o[0]*e+o[4]*n+o[8]*s+o[12]*r,this.y=o[1]*e+o[5]*n+o[9]*s+o[13]*r,this.z=o[2]*e+o[6]*n+o[10]*s+o[14]*r,this.w=o[3]*e+o[7]*n+o[11]*s+o[15]*r,this}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this.w/=t.w,this}divideScalar(t){return this.multiplyScalar(1/t)}setAxisAngleFromQuaternion(t){this.w=2*Math.acos(t.w);let e=Math.sqrt(1-t.w*t.w);return e<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=t.x/e,this.y=t.y/e,this.z=t.z/e),this}setAxisAngleFromRotationMatrix(t){let e,n,s,r,l=t.elements,c=l[0],h=l[4],u=l[8],f=l[1],d=l[5],p=l[9],v=l[2],g=l[6],m=l[10];if(Math.abs(h-f)<.01&&Math.abs(u-v)<.01&&Math.abs(p-g)<.01){if(Math.abs(h+f)<.1&&Math.abs(u+v)<.1&&Math.abs(p+g)<.1&&Math.abs(c+d+m-3)<.1)return this.set(1,0,0,0),this;e=Math.PI;let b=(c+1)/2,M=(d+1)/2,R=(m+1)/2,T=(h+f)/4,x=(u+v)/4,w=(p+g)/4;return b>M&&b>R?b<.01?(n=0,s=.707106781,r=.707106781):(n=Math.sqrt(b),s=T/n,r=x/n):M>R?M<.01?(n=.707106781,s=0,r=.707106781):(s=Math.sqrt(M),n=T/s,r=w/s):R<.01?(n=.707106781,s=.707106781,r=0):(r=Math.sqrt(R),n=x/r,s=w/r),this.set(n,s,r,e),this}let _=Math.sqrt((g-p)*(g-p)+(u-v)*(u-v)+(f-h)*(f-h));return Math.abs(_)<.001&&(_=1),this.x=(g-p)/_,this.y=(u-v)/_,this.z=(f-h)/_,this.w=Math.acos((c+d+m-1)/2),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this.w=e[15],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this.w=Math.min(this.w,t.w),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this.w=Math.max(this.w,t.w),this}clamp(t,e){return this.x=ce(this.x,t.x,e.x),this.y=ce(this.y,t.y,e.y),this.z=ce(this.z,t.z,e.z),this.w=ce(this.w,t.w,e.w),this}clampScalar(t,e){return this.x=ce(this.x,t,e),this.y=ce(this.y,t,e),this.z=ce(this.z,t,e),this.w=ce(this.w,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(ce(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z+this.w*t.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this.w+=(t.w-this.w)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this.w=t.w+(e.w-t.w)*n,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z&&t.w===this.w}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this.w=t[e+3],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t[e+3]=this.w,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this.w=t.getW(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}};Df.prototype.isVector4=!0;var tn=Df,ql=class extends ki{constructor(t=1,e=1,n={}){super(),n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:jn,depthBuffer:!0,stencilBuffer:!1,resolveColorBuffer:!0,resolveDepthBuffer:!0,resolveStencilBuffer:!0,storeMultisampledColorBuffer:!0,storeMultisampledDepthBuffer:!0,storeMultisampledStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1,useArrayDepthTexture:!1},n),this.isRenderTarget=!0,this.width=t,this.height=e,this.depth=n.depth,this.scissor=new tn(0,0,t,e),this.scissorTest=!1,this.viewport=new tn(0,0,t,e),this.textures=[];let s=n.count;for(let r=0;r<s;r++)this.textures[r]=new ni({width:t,height:e,depth:n.depth}),this.textures[r].isRenderTargetTexture=!0,this.textures[r].renderTarget=this;this._setTextureOptions(n),this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveColorBuffer=n.resolveColorBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this.storeMultisampledColorBuffer=n.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=n.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=n.storeMultisampledStencilBuffer,this._depthTexture=null,this.depthTexture=n.depthTexture,this.samples=n.samples,this.multiview=n.multiview,this.useArrayDepthTexture=n.useArrayDepthTexture}_setTextureOptions(t={}){let e={minFilter:jn,generateMipmaps:!1,flipY:!1,internalFormat:null};t.mapping!==void 0&&(e.mapping=t.mapping),t.wrapS!==void 0&&(e.wrapS=t.wrapS),t.wrapT!==void 0&&(e.wrapT=t.wrapT),t.wrapR!==void 0&&(e.wrapR=t.wrapR),t.magFilter!==void 0&&(e.magFilter=t.magFilter),t.minFilter!==void 0&&(e.minFilter=t.minFilter),t.format!==void 0&&(e.format=t.format),t.type!==void 0&&(e.type=t.type),t.anisotropy!==void 0&&(e.anisotropy=t.anisotropy),t.colorSpace!==void 0&&(e.colorSpace=t.colorSpace),t.flipY!==void 0&&(e.flipY=t.flipY),t.generateMipmaps!==void 0&&(e.generateMipmaps=t.generateMipmaps),t.mipmapsAutoUpdate!==void 0&&(e.mipmapsAutoUpdate=t.mipmapsAutoUpdate),t.internalFormat!==void 0&&(e.internalFormat=t.internalFormat);for(let n=0;n<this.textures.length;n++)this.textures[n].setValues(e)}get texture(){return this.textures[0]}set texture(t){this.textures[0]=t}set depthTexture(t){this._depthTexture!==null&&this._depthTexture.renderTarget===this&&(this._depthTexture.renderTarget=null),t!==null&&t.renderTarget===null&&(t.renderTarget=this),this._depthTexture=t}get depthTexture(){return this._depthTexture}setSize(t,e,n=1){if(this.width!==t||this.height!==e||this.depth!==n){this.width=t,this.height=e,this.depth=n;for(let s=0,r=this.textures.length;s<r;s++)this.textures[s].image.width=t,this.textures[s].image.height=e,this.textures[s].image.depth=n,this.textures[s].isData3DTexture!==!0&&(this.textures[s].isArrayTexture=this.textures[s].image.depth>1);this.dispose()}this.viewport.set(0,0,t,e),this.scissor.set(0,0,t,e)}clone(){return new this.constructor().copy(this)}copy(t){this.width=t.width,this.height=t.height,this.depth=t.depth,this.scissor.copy(t.scissor),this.scissorTest=t.scissorTest,this.viewport.copy(t.viewport),this.textures.length=0;for(let e=0,n=t.textures.length;e<n;e++){this.textures[e]=t.textures[e].clone(),this.textures[e].isRenderTargetTexture=!0,this.textures[e].renderTarget=this;let s=Object.assign({},t.textures[e].image);this.textures[e].source=new io(s)}if(this.depthBuffer=t.depthBuffer,this.stencilBuffer=t.stencilBuffer,this.resolveColorBuffer=t.resolveColorBuffer,this.resolveDepthBuffer=t.resolveDepthBuffer,this.resolveStencilBuffer=t.resolveStencilBuffer,this.storeMultisampledColorBuffer=t.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=t.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=t.storeMultisampledStencilBuffer,t.depthTexture!==null)if(t.depthTexture.renderTarget===t){let e=t.depthTexture.clone();e.renderTarget=null,this.depthTexture=e}else this.depthTexture=t.depthTexture;else this.depthTexture=null;return this.samples=t.samples,this.multiview=t.multiview,this.useArrayDepthTexture=t.useArrayDepthTexture,this}dispose(){this.dispatchEvent({type:"dispose"})}},_i=class extends ql{constructor(t=1,e=1,n={}){super(t,e,n),this.isWebGLRenderTarget=!0}},la=class extends ni{constructor(t=null,e=1,n=1,s=1){super(null),this.isDataArrayTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=On,this.minFilter=On,this.wrapR=ns,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}copy(t){return super.copy(t),this.wrapR=t.wrapR,this}addLayerUpdate(t){this.layerUpdates.add(t)}clearLayerUpdates(){this.layerUpdates.clear()}};var Yl=class extends ni{constructor(t=null,e=1,n=1,s=1){super(null),this.isData3DTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=On,this.minFilter=On,this.wrapR=ns,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}copy(t){return super.copy(t),this.wrapR=t.wrapR,this}};var Sc=class Sc{constructor(t,e,n,s,r,o,a,l,c,h,u,f,d,p,v,g){this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,l,c,h,u,f,d,p,v,g)}set(t,e,n,s,r,o,a,l,c,h,u,f,d,p,v,g){let m=this.elements;return m[0]=t,m[4]=e,m[8]=n,m[12]=s,m[1]=r,m[5]=o,m[9]=a,m[13]=l,m[2]=c,m[6]=h,m[10]=u,m[14]=f,m[3]=d,m[7]=p,m[11]=v,m[15]=g,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new Sc().fromArray(this.elements)}copy(t){let e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],e[9]=n[9],e[10]=n[10],e[11]=n[11],e[12]=n[12],e[13]=n[13],e[14]=n[14],e[15]=n[15],this}copyPosition(t){let e=this.elements,n=t.elements;return e[12]=n[12],e[13]=n[13],e[14]=n[14],this}setFromMatrix3(t){let e=t.elements;return this.set(e[0],e[3],e[6],0,e[1],e[4],e[7],0,e[2],e[5],e[8],0,0,0,0,1),this}extractBasis(t,e,n){return this.determinantAffine()===0?(t.set(1,0,0),e.set(0,1,0),n.set(0,0,1),this):(t.setFromMatrixColumn(this,0),e.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this)}makeBasis(t,e,n){return this.set(t.x,e.x,n.x,0,t.y,e.y,n.y,0,t.z,e.z,n.z,0,0,0,0,1),this}extractRotation(t){if(t.determinantAffine()===0)return this.identity();let e=this.elements,n=t.elements,s=1/kr.setFromMatrixColumn(t,0).length(),r=1/kr.setFromMatrixColumn(t,1).length(),o=1/kr.setFromMatrixColumn(t,2).length();return e[0]=n[0]*s,e[1]=n[1]*s,e[2]=n[2]*s,e[3]=0,e[4]=n[4]*r,e[5]=n[5]*r,e[6]=n[6]*r,e[7]=0,e[8]=n[8]*o,e[9]=n[9]*o,e[10]=n[10]*o,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromEuler(t){let e=this.elements,n=t.x,s=t.y,r=t.z,o=Math.cos(n),a=Math.sin(n),l=Math.cos(s),c=Math.sin(s),h=Math.cos(r),u=Math.sin(r);if(t.order==="XYZ"){let f=o*h,d=o*u,p=a*h,v=a*u;e[0]=l*h,e[4]=-l*u,e[8]=c,e[1]=d+p*c,e[5]=f-v*c,e[9]=-a*l,e[2]=v-f*c,e[6]=p+d*c,e[10]=o*l}else if(t.order==="YXZ"){let f=l*h,d=l*u,p=c*h,v=c*u;e[0]=f+v*a,e[4]=p*a-d,e[8]=o*c,e[1]=o*u,e[5]=o*h,e[9]=-a,e[2]=d*a-p,e[6]=v+f*a,e[10]=o*l}else if(t.order==="ZXY"){let f=l*h,d=l*u,p=c*h,v=c*u;e[0]=f-v*a,e[4]=-o*u,e[8]=p+d*a,e[1]=d+p*a,e[5]=o*h,e[9]=v-f*a,e[2]=-o*c,e[6]=a,e[10]=o*l}else if(t.order==="ZYX"){let f=o*h,d=o*u,p=a*h,v=a*u;e[0]=l*h,e[4]=p*c-d,e[8]=f*c+v,e[1]=l*u,e[5]=v*c+f,e[9]=d*c-p,e[2]=-c,e[6]=a*l,e[10]=o*l}else if(t.order==="YZX"){let f=o*l,d=o*c,p=a*l,v=a*c;e[0]=l*h,e[4]=v-f*u,e[8]=p*u+d,e[1]=u,e[5]=o*h,e[9]=-a*h,e[2]=-c*h,e[6]=d*u+p,e[10]=f-v*u}else if(t.order==="XZY"){let f=o*l,d=o*c,p=a*l,v=a*c;e[0]=l*h,e[4]=-u,e[8]=c*h,e[1]=f*u+v,e[5]=o*h,e[9]=d*u-p,e[2]=p*u-d,e[6]=a*h,e[10]=v*u+f}return e[3]=0,e[7]=0,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromQuaternion(t){return this.compose(q_,t,Y_)}lookAt(t,e,n){let s=this.elements;return fi.subVectors(t,e),fi.lengthSq()===0&&(fi.z=1),fi.normalize(),Gs.crossVectors(n,fi),Gs.lengthSq()===0&&(Math.abs(n.z)===1?fi.x+=1e-4:fi.z+=1e-4,fi.normalize(),Gs.crossVectors(n,fi)),Gs.normalize(),ll.crossVectors(fi,Gs),s[0]=Gs.x,s[4]=ll.x,s[8]=fi.x,s[1]=Gs.y,s[5]=ll.y,s[9]=fi.y,s[2]=Gs.z,s[6]=ll.z,s[10]=fi.z,this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[4],l=n[8],c=n[12],h=n[1],u=n[5],f=n[9],d=n[13],p=n[2],v=n[6],g=n[10],m=n[14],_=n[3],b=n[7],M=n[11],R=n[15],T=s[0],x=s[4],w=s[8],U=s[12],P=s[1],L=s[5],k=s[9],H=s[13],N=s[2],W=s[6],Y=s[10],V=s[14],ct=s[3],J=s[7],j=s[11],st=s[15];return r[0]=o*T+a*P+l*N+c*ct,r[4]=o*x+a*L+l*W+c*J,r[8]=o*w+a*k+l*Y+c*j,r[12]=o*U+a*H+l*V+c*st,r[1]=h*T+u*P+f*N+d*ct,r[5]=h*x+u*L+f*W+d*J,r[9]=h*w+u*k+f*Y+d*j,r[13]=h*U+u*H+f*V+d*st,r[2]=p*T+v*P+g*N+m*ct,r[6]=p*x+v*L+g*W+m*J,r[10]=p*w+v*k+g*Y+m*j,r[14]=p*U+v*H+g*V+m*st,r[3]=_*T+b*P+M*N+R*ct,r[7]=_*x+b*L+M*W+R*J,r[11]=_*w+b*k+M*Y+R*j,r[15]=_*U+b*H+M*V+R*st,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[4]*=t,e[8]*=t,e[12]*=t,e[1]*=t,e[5]*=t,e[9]*=t,e[13]*=t,e[2]*=t,e[6]*=t,e[10]*=t,e[14]*=t,e[3]*=t,e[7]*=t,e[11]*=t,e[15]*=t,this}determinant(){let t=this.elements,e=t[0],n=t[4],s=t[8],r=t[12],o=t[1],a=t[5],l=t[9],c=t[13],h=t[2],u=t[6],f=t[10],d=t[14],p=t[3],v=t[7],g=t[11],m=t[15],_=l*d-c*f,b=a*d-c*u,M=a*f-l*u,R=o*d-c*h,T=o*f-l*h,x=o*u-a*h;return e*(v*_-g*b+m*M)-n*(p*_-g*R+m*T)+s*(p*b-v*R+m*x)-r*(p*M-v*T+g*x)}determinantAffine(){let t=this.elements,e=t[0],n=t[4],s=t[8],r=t[1],o=t[5],a=t[9],l=t[2],c=t[6],h=t[10];return e*(o*h-a*c)-n*(r*h-a*l)+s*(r*c-o*l)}transpose(){let t=this.elements,e;return e=t[1],t[1]=t[4],t[4]=e,e=t[2],t[2]=t[8],t[8]=e,e=t[6],t[6]=t[9],t[9]=e,e=t[3],t[3]=t[12],t[12]=e,e=t[7],t[7]=t[13],t[13]=e,e=t[11],t[11]=t[14],t[14]=e,this}setPosition(t,e,n){let s=this.elements;return t.isVector3?(s[12]=t.x,s[13]=t.y,s[14]=t.z):(s[12]=t,s[13]=e,s[14]=n),this}invert(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8],u=t[9],f=t[10],d=t[11],p=t[12],v=t[13],g=t[14],m=t[15],_=e*a-n*o,b=e*l-s*o,M=e*c-r*o,R=n*l-s*a,T=n*c-r*a,x=s*c-r*l,w=h*v-u*p,U=h*g-f*p,P=h*m-d*p,L=u*g-f*v,k=u*m-d*v,H=f*m-d*g,N=_*H-b*k+M*L+R*P-T*U+x*w;if(N===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);let W=1/N;return t[0]=(a*H-l*k+c*L)*W,t[1]=(s*k-n*H-r*L)*W,t[2]=(v*x-g*T+m*R)*W,t[3]=(f*T-u*x-d*R)*W,t[4]=(l*P-o*H-c*U)*W,t[5]=(e*H-s*P+r*U)*W,t[6]=(g*M-p*x-m*b)*W,t[7]=(h*x-f*M+d*b)*W,t[8]=(o*k-a*P+c*w)*W,t[9]=(n*P-e*k-r*w)*W,t[10]=(p*T-v*M+m*_)*W,t[11]=(u*M-h*T-d*_)*W,t[12]=(a*U-o*L-l*w)*W,t[13]=(e*L-n*U+s*w)*W,t[14]=(v*b-p*R-g*_)*W,t[15]=(h*R-u*b+f*_)*W,this}scale(t){let e=this.elements,n=t.x,s=t.y,r=t.z;return e[0]*=n,e[4]*=s,e[8]*=r,e[1]*=n,e[5]*=s,e[9]*=r,e[2]*=n,e[6]*=s,e[10]*=r,e[3]*=n,e[7]*=s,e[11]*=r,this}getMaxScaleOnAxis(){let t=this.elements,e=t[0]*t[0]+t[1]*t[1]+t[2]*t[2],n=t[4]*t[4]+t[5]*t[5]+t[6]*t[6],s=t[8]*t[8]+t[9]*t[9]+t[10]*t[10];return Math.sqrt(Math.max(e,n,s))}makeTranslation(t,e,n){return t.isVector3?this.set(1,0,0,t.x,0,1,0,t.y,0,0,1,t.z,0,0,0,1):this.set(1,0,0,t,0,1,0,e,0,0,1,n,0,0,0,1),this}makeRotationX(t){let e=Math.cos(t),n=Math.sin(t);return this.set(1,0,0,0,0,e,-n,0,0,n,e,0,0,0,0,1),this}makeRotationY(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,0,n,0,0,1,0,0,-n,0,e,0,0,0,0,1),this}makeRotationZ(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,0,n,e,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(t,e){let n=Math.cos(e),s=Math.sin(e),r=1-n,o=t.x,a=t.y,l=t.z,c=r*o,h=r*a;return this.set(c*o+n,c*a-s*l,c*l+s*a,0,c*a+s*l,h*a+n,h*l-s*o,0,c*l-s*a,h*l+s*o,r*l*l+n,0,0,0,0,1),this}makeScale(t,e,n){return this.set(t,0,0,0,0,e,0,0,0,0,n,0,0,0,0,1),this}makeShear(t,e,n,s,r,o){return this.set(1,n,r,0,t,1,o,0,e,s,1,0,0,0,0,1),this}compose(t,e,n){let s=this.elements,r=e._x,o=e._y,a=e._z,l=e._w,c=r+r,h=o+o,u=a+a,f=r*c,d=r*h,p=r*u,v=o*h,g=o*u,m=a*u,_=l*c,b=l*h,M=l*u,R=n.x,T=n.y,x=n.z;return s[0]=(1-(v+m))*R,s[1]=(d+M)*R,s[2]=(p-b)*R,s[3]=0,s[4]=(d-M)*T,s[5]=(1-(f+m))*T,s[6]=(g+_)*T,s[7]=0,s[8]=(p+b)*x,s[9]=(g-_)*x,s[10]=(1-(f+v))*x,s[11]=0,s[12]=t.x,s[13]=t.y,s[14]=t.z,s[15]=1,this}decompose(t,e,n){let s=this.elements;t.x=s[12],t.y=s[13],t.z=s[14];let r=this.determinantAffine();if(r===0)return n.set(1,1,1),e.identity(),this;let o=kr.set(s[0],s[1],s[2]).length(),a=kr.set(s[4],s[5],s[6]).length(),l=kr.set(s[8],s[9],s[10]).length();r<0&&(o=-o),Fi.copy(this);let c=1/o,h=1/a,u=1/l;return Fi.elements[0]*=c,Fi.elements[1]*=c,Fi.elements[2]*=c,Fi.elements[4]*=h,Fi.elements[5]*=h,Fi.elements[6]*=h,Fi.elements[8]*=u,Fi.elements[9]*=u,Fi.elements[10]*=u,e.setFromRotationMatrix(Fi),n.x=o,n.y=a,n.z=l,this}makePerspective(t,e,n,s,r,o,a=Ai,l=!1){let c=this.elements,h=2*r/(e-t),u=2*r/(n-s),f=(e+t)/(e-t),d=(n+s)/(n-s),p,v;if(l)p=r/(o-r),v=o*r/(o-r);else if(a===Ai)p=-(o+r)/(o-r),v=-2*o*r/(o-r);else if(a===to)p=-o/(o-r),v=-o*r/(o-r);else throw new Error("THREE.Matrix4.makePerspective(): Invalid coordinate system: "+a);return c[0]=h,c[4]=0,c[8]=f,c[12]=0,c[1]=0,c[5]=u,c[9]=d,c[13]=0,c[2]=0,c[6]=0,c[10]=p,c[14]=v,c[3]=0,c[7]=0,c[11]=-1,c[15]=0,this}makeOrthographic(t,e,n,s,r,o,a=Ai,l=!1){let c=this.elements,h=2/(e-t),u=2/(n-s),f=-(e+t)/(e-t),d=-(n+s)/(n-s),p,v;if(l)p=1/(o-r),v=o/(o-r);else if(a===Ai)p=-2/(o-r),v=-(o+r)/(o-r);else if(a===to)p=-1/(o-r),v=-r/(o-r);else throw new Error("THREE.Matrix4.makeOrthographic(): Invalid coordinate system: "+a);return c[0]=h,c[4]=0,c[8]=0,c[12]=f,c[1]=0,c[5]=u,c[9]=0,c[13]=d,c[2]=0,c[6]=0,c[10]=p,c[14]=v,c[3]=0,c[7]=0,c[11]=0,c[15]=1,this}equals(t){let e=this.elements,n=t.elements;for(let s=0;s<16;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<16;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){let n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t[e+9]=n[9],t[e+10]=n[10],t[e+11]=n[11],t[e+12]=n[12],t[e+13]=n[13],t[e+14]=n[14],t[e+15]=n[15],t}};Sc.prototype.isMatrix4=!0;var ze=Sc,kr=new F,Fi=new ze,q_=new F(0,0,0),Y_=new F(1,1,1),Gs=new F,ll=new F,fi=new F,up=new ze,fp=new We,As=class i{constructor(t=0,e=0,n=0,s=i.DEFAULT_ORDER){this.isEuler=!0,this._x=t,this._y=e,this._z=n,this._order=s}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get order(){return this._order}set order(t){this._order=t,this._onChangeCallback()}set(t,e,n,s=this._order){return this._x=t,this._y=e,this._z=n,this._order=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(t){return this._x=t._x,this._y=t._y,this._z=t._z,this._order=t._order,this._onChangeCallback(),this}setFromRotationMatrix(t,e=this._order,n=!0){let s=t.elements,r=s[0],o=s[4],a=s[8],l=s[1],c=s[5],h=s[9],u=s[2],f=s[6],d=s[10];switch(e){case"XYZ":this._y=Math.asin(ce(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(-h,d),this._z=Math.atan2(-o,r)):(this._x=Math.atan2(f,c),this._z=0);break;case"YXZ":this._x=Math.asin(-ce(h,-1,1)),Math.abs(h)<.9999999?(this._y=Math.atan2(a,d),this._z=Math.atan2(l,c)):(this._y=Math.atan2(-u,r),this._z=0);break;case"ZXY":this._x=Math.asin(ce(f,-1,1)),Math.abs(f)<.9999999?(this._y=Math.atan2(-u,d),this._z=Math.atan2(-o,c)):(this._y=0,this._z=Math.atan2(l,r));break;case"ZYX":this._y=Math.asin(-ce(u,-1,1)),Math.abs(u)<.9999999?(this._x=Math.atan2(f,d),this._z=Math.atan2(l,r)):(this._x=0,this._z=Math.atan2(-o,c));break;case"YZX":this._z=Math.asin(ce(l,-1,1)),Math.abs(l)<.9999999?(this._x=Math.atan2(-h,c),this._y=Math.atan2(-u,r)):(this._x=0,this._y=Math.atan2(a,d));break;case"XZY":this._z=Math.asin(-ce(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(f,c),this._y=Math.atan2(a,r)):(this._x=Math.atan2(-h,d),this._y=0);break;default:Zt("Euler: .setFromRotationMatrix() encountered an unknown order: "+e)}return this._order=e,n===!0&&this._onChangeCallback(),this}setFromQuaternion(t,e,n){return up.makeRotationFromQuaternion(t),this.setFromRotationMatrix(up,e,n)}setFromVector3(t,e=this._order){return this.set(t.x,t.y,t.z,e)}reorder(t){return fp.setFromEuler(this),this.setFromQuaternion(fp,t)}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._order===this._order}fromArray(t){return this._x=t[0],this._y=t[1],this._z=t[2],t[3]!==void 0&&(this._order=t[3]),this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._order,t}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}};As.DEFAULT_ORDER="XYZ";var so=class{constructor(){this.mask=1}set(t){this.mask=(1<<t|0)>>>0}enable(t){this.mask|=1<<t|0}enableAll(){this.mask=-1}toggle(t){this.mask^=1<<t|0}disable(t){this.mask&=~(1<<t|0)}disableAll(){this.mask=0}test(t){return(this.mask&t.mask)!==0}isEnabled(t){return(this.mask&(1<<t|0))!==0}},Z_=0,dp=new F,zr=new We,ys=new ze,cl=new F,$o=new F,$_=new F,J_=new We,pp=new F(1,0,0),mp=new F(0,1,0),gp=new F(0,0,1),_p={type:"added"},K_={type:"removed"},Hr={type:"childadded",child:null},xu={type:"childremoved",child:null},Hn=class i extends ki{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:Z_++}),this.uuid=mo(),this.name="",this.type="Object3D",this.parent=null,this.children=[],this.up=i.DEFAULT_UP.clone();let t=new F,e=new As,n=new We,s=new F(1,1,1);function r(){n.setFromEuler(e,!1)}function o(){e.setFromQuaternion(n,void 0,!1)}e._onChange(r),n._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:t},rotation:{configurable:!0,enumerable:!0,value:e},quaternion:{configurable:!0,enumerable:!0,value:n},scale:{configurable:!0,enumerable:!0,value:s},modelViewMatrix:{value:new ze},normalMatrix:{value:new ee}}),this.matrix=new ze,this.matrixWorld=new ze,this.matrixAutoUpdate=i.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=i.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new so,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.static=!1,this.userData={},this.pivot=null}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(t){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(t),this.matrix.decompose(this.position,this.quaternion,this.scale),this.pivot!==null&&this.position.copy(this.pivot).applyMatrix4(this.matrix).sub(this.pivot)}applyQuaternion(t){return this.quaternion.premultiply(t),this}setRotationFromAxisAngle(t,e){this.quaternion.setFromAxisAngle(t,e)}setRotationFromEuler(t){this.quaternion.setFromEuler(t,!0)}setRotationFromMatrix(t){this.quaternion.setFromRotationMatrix(t)}setRotationFromQuaternion(t){this.quaternion.copy(t)}rotateOnAxis(t,e){return zr.setFromAxisAngle(t,e),this.quaternion.multiply(zr),this}rotateOnWorldAxis(t,e){return zr.setFromAxisAngle(t,e),this.quaternion.premultiply(zr),this}rotateX(t){return this.rotateOnAxis(pp,t)}rotateY(t){return this.rotateOnAxis(mp,t)}rotateZ(t){return this.rotateOnAxis(gp,t)}translateOnAxis(t,e){return dp.copy(t).applyQuaternion(this.quaternion),this.position.add(dp.multiplyScalar(e)),this}translateX(t){return this.translateOnAxis(pp,t)}translateY(t){return this.translateOnAxis(mp,t)}translateZ(t){return this.translateOnAxis(gp,t)}localToWorld(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(this.matrixWorld)}worldToLocal(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(ys.copy(this.matrixWorld).invert())}lookAt(t,e,n){t.isVector3?cl.copy(t):cl.set(t,e,n);let s=this.parent;this.updateWorldMatrix(!0,!1),$o.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?ys.lookAt($o,cl,this.up):ys.lookAt(cl,$o,this.up),this.quaternion.setFromRotationMatrix(ys),s&&(ys.extractRotation(s.matrixWorld),zr.setFromRotationMatrix(ys),this.quaternion.premultiply(zr.invert()))}add(t){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.add(arguments[e]);return this}return t===this?(Qt("Object3D.add: object can't be added as a child of itself.",t),this):(t&&t.isObject3D?(t.removeFromParent(),t.parent=this,this.children.push(t),t.dispatchEvent(_p),Hr.child=t,this.dispatchEvent(Hr),Hr.child=null):Qt("Object3D.add: object not an instance of THREE.Object3D.",t),this)}remove(t){if(arguments.length>1){for(let n=0;n<arguments.length;n++)this.remove(arguments[n]);return this}let e=this.children.indexOf(t);return e!==-1&&(t.parent=null,this.children.splice(e,1),t.dispatchEvent(K_),xu.child=t,this.dispatchEvent(xu),xu.child=null),this}removeFromParent(){let t=this.parent;return t!==null&&t.remove(this),this}clear(){return this.remove(...this.children)}attach(t){return this.updateWorldMatrix(!0,!1),ys.copy(this.matrixWorld).invert(),t.parent!==null&&(t.parent.updateWorldMatrix(!0,!1),ys.multiply(t.parent.matrixWorld)),t.applyMatrix4(ys),t.removeFromParent(),t.parent=this,this.children.push(t),t.updateWorldMatrix(!1,!0),t.dispatchEvent(_p),Hr.child=t,this.dispatchEvent(Hr),Hr.child=null,this}getObjectById(t){return this.getObjectByProperty("id",t)}getObjectByName(t){return this.getObjectByProperty("name",t)}getObjectByProperty(t,e){if(this[t]===e)return this;for(let n=0,s=this.children.length;n<s;n++){let o=this.children[n].getObjectByProperty(t,e);if(o!==void 0)return o}}getObjectsByProperty(t,e,n=[]){this[t]===e&&n.push(this);let s=this.children;for(let r=0,o=s.length;r<o;r++)s[r].getObjectsByProperty(t,e,n);return n}getWorldPosition(t){return this.updateWorldMatrix(!0,!1),t.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose($o,t,$_),t}getWorldScale(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose($o,J_,t),t}getWorldDirection(t){this.updateWorldMatrix(!0,!1);let e=this.matrixWorld.elements;return t.set(e[8],e[9],e[10]).normalize()}raycast(){}intersectsFrustum(){return!0}traverse(t){t(this);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverse(t)}traverseVisible(t){if(this.visible===!1)return;t(this);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverseVisible(t)}traverseAncestors(t){let e=this.parent;e!==null&&(t(e),e.traverseAncestors(t))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale);let t=this.pivot;if(t!==null){let e=t.x,n=t.y,s=t.z,r=this.matrix.elements;r[12]+=e-r[0]*e-r[4]*n-r[8]*s,r[13]+=n-r[1]*e-r[5]*n-r[9]*s,r[14]+=s-r[2]*e-r[6]*n-r[10]*s}this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(t){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||t)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,t=!0);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].updateMatrixWorld(t)}updateWorldMatrix(t,e,n=!1){let s=this.parent;if(t===!0&&s!==null&&s.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||n)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,n=!0),e===!0){let r=this.children;for(let o=0,a=r.length;o<a;o++)r[o].updateWorldMatrix(!1,!0,n)}}toJSON(t){let e=t===void 0||typeof t=="string",n={};e&&(t={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},n.metadata={version:4.7,type:"Object",generator:"Object3D.toJSON"});let s={};s.uuid=this.uuid,s.type=this.type,s.name=this.name,s.castShadow=this.castShadow,s.receiveShadow=this.receiveShadow,s.visible=this.visible,s.frustumCulled=this.frustumCulled,s.renderOrder=this.renderOrder,s.static=this.static,s.matrixAutoUpdate=this.matrixAutoUpdate,Object.keys(this.userData).length>0&&(s.userData=this.userData),s.layers=this.layers.mask,s.matrix=this.matrix.toArray(),s.up=this.up.toArray(),this.pivot!==null&&(s.pivot=this.pivot.toArray()),this.morphTargetDictionary!==void 0&&(s.morphTargetDictionary=Object.assign({},this.morphTargetDictionary)),this.morphTargetInfluences!==void 0&&(s.morphTargetInfluences=this.morphTargetInfluences.slice()),this.isInstancedMesh&&(s.type="InstancedMesh",s.count=this.count,s.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(s.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(s.type="BatchedMesh",s.perObjectFrustumCulled=this.perObjectFrustumCulled,s.sortObjects=this.sortObjects,s.drawRanges=this._drawRanges,s.reservedRanges=this._reservedRanges,s.geometryInfo=this._geometryInfo.map(a=>({...a,boundingBox:a.boundingBox?a.boundingBox.toJSON():void 0,boundingSphere:a.boundingSphere?a.boundingSphere.toJSON():void 0})),s.instanceInfo=this._instanceInfo.map(a=>({...a})),s.availableInstanceIds=this._availableInstanceIds.slice(),s.availableGeometryIds=this._availableGeometryIds.slice(),s.nextIndexStart=this._nextIndexStart,s.nextVertexStart=this._nextVertexStart,s.geometryCount=this._geometryCount,s.maxInstanceCount=this._maxInstanceCount,s.maxVertexCount=this._maxVertexCount,s.maxIndexCount=this._maxIndexCount,s.geometryInitialized=this._geometryInitialized,s.matricesTexture=this._matricesTexture.toJSON(t),s.indirectTexture=this._indirectTexture.toJSON(t),this._colorsTexture!==null&&(s.colorsTexture=this._colorsTexture.toJSON(t)),this.boundingSphere!==null&&(s.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(s.boundingBox=this.boundingBox.toJSON()));function r(a,l){return a[l.uuid]===void 0&&(a[l.uuid]=l.toJSON(t)),l.uuid}if(this.isScene)this.background&&(this.background.isColor?s.background=this.background.toJSON():this.background.isTexture&&(s.background=this.background.toJSON(t).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(s.environment=this.environment.toJSON(t).uuid);else if(this.isMesh||this.isLine||this.isPoints){s.geometry=r(t.geometries,this.geometry);let a=this.geometry.parameters;if(a!==void 0&&a.shapes!==void 0){let l=a.shapes;if(Array.isArray(l))for(let c=0,h=l.length;c<h;c++){let u=l[c];r(t.shapes,u)}else r(t.shapes,l)}}if(this.isSkinnedMesh&&(s.bindMode=this.bindMode,s.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(r(t.skeletons,this.skeleton),s.skeleton=this.skeleton.uuid)),this.material!==void 0)if(Array.isArray(this.material)){let a=[];for(let l=0,c=this.material.length;l<c;l++)a.push(r(t.materials,this.material[l]));s.material=a}else s.material=r(t.materials,this.material);if(this.children.length>0){s.children=[];for(let a=0;a<this.children.length;a++)s.children.push(this.children[a].toJSON(t).object)}if(this.animations.length>0){s.animations=[];for(let a=0;a<this.animations.length;a++){let l=this.animations[a];s.animations.push(r(t.animations,l))}}if(e){let a=o(t.geometries),l=o(t.materials),c=o(t.textures),h=o(t.images),u=o(t.shapes),f=o(t.skeletons),d=o(t.animations),p=o(t.nodes);a.length>0&&(n.geometries=a),l.length>0&&(n.materials=l),c.length>0&&(n.textures=c),h.length>0&&(n.images=h),u.length>0&&(n.shapes=u),f.length>0&&(n.skeletons=f),d.length>0&&(n.animations=d),p.length>0&&(n.nodes=p)}return n.object=s,n;function o(a){let l=[];for(let c in a){let h=a[c];delete h.metadata,l.push(h)}return l}}clone(t){return new this.constructor().copy(this,t)}copy(t,e=!0){if(this.name=t.name,this.up.copy(t.up),this.position.copy(t.position),this.rotation.order=t.rotation.order,this.quaternion.copy(t.quaternion),this.scale.copy(t.scale),this.pivot=t.pivot!==null?t.pivot.clone():null,this.matrix.copy(t.matrix),this.matrixWorld.copy(t.matrixWorld),this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrixWorldAutoUpdate=t.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=t.matrixWorldNeedsUpdate,this.layers.mask=t.layers.mask,this.visible=t.visible,this.castShadow=t.castShadow,this.receiveShadow=t.receiveShadow,this.frustumCulled=t.frustumCulled,this.renderOrder=t.renderOrder,this.static=t.static,this.animations=t.animations.slice(),this.userData=JSON.parse(JSON.stringify(t.userData)),e===!0)for(let n=0;n<t.children.length;n++){let s=t.children[n];this.add(s.clone())}return this}dispose(){this.dispatchEvent({type:"dispose"})}};Hn.DEFAULT_UP=new F(0,1,0);Hn.DEFAULT_MATRIX_AUTO_UPDATE=!0;Hn.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;var te=class extends Hn{constructor(){super(),this.isGroup=!0,this.type="Group"}},j_={type:"move"},ro=class{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new te,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new te,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new F,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new F),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new te,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new F,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new F,this._grip.eventsEnabled=!1),this._grip}dispatchEvent(t){return this._targetRay!==null&&this._targetRay.dispatchEvent(t),this._grip!==null&&this._grip.dispatchEvent(t),this._hand!==null&&this._hand.dispatchEvent(t),this}connect(t){if(t&&t.hand){let e=this._hand;if(e)for(let n of t.hand.values())this._getHandJoint(e,n)}return this.dispatchEvent({type:"connected",data:t}),this}disconnect(t){return this.dispatchEvent({type:"disconnected",data:t}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(t,e,n){let s=null,r=null,o=null,a=this._targetRay,l=this._grip,c=this._hand;if(t&&e.session.visibilityState!=="visible-blurred"){if(c&&t.hand){o=!0;for(let v of t.hand.values()){let g=e.getJointPose(v,n),m=this._getHandJoint(c,v);g!==null&&(m.matrix.fromArray(g.transform.matrix),m.matrix.decompose(m.position,m.quaternion,m.scale),m.matrixWorldNeedsUpdate=!0,m.jointRadius=g.radius),m.visible=g!==null}let h=c.joints["index-finger-tip"],u=c.joints["thumb-tip"],f=h.position.distanceTo(u.position),d=.02,p=.005;c.inputState.pinching&&f>d+p?(c.inputState.pinching=!1,this.dispatchEvent({type:"pinchend",handedness:t.handedness,target:this})):!c.inputState.pinching&&f<=d-p&&(c.inputState.pinching=!0,this.dispatchEvent({type:"pinchstart",handedness:t.handedness,target:this}))}else l!==null&&t.gripSpace&&(r=e.getPose(t.gripSpace,n),r!==null&&(l.matrix.fromArray(r.transform.matrix),l.matrix.decompose(l.position,l.quaternion,l.scale),l.matrixWorldNeedsUpdate=!0,r.linearVelocity?(l.hasLinearVelocity=!0,l.linearVelocity.copy(r.linearVelocity)):l.hasLinearVelocity=!1,r.angularVelocity?(l.hasAngularVelocity=!0,l.angularVelocity.copy(r.angularVelocity)):l.hasAngularVelocity=!1,l.eventsEnabled&&l.dispatchEvent({type:"gripUpdated",data:t,target:this})));a!==null&&(s=e.getPose(t.targetRaySpace,n),s===null&&r!==null&&(s=r),s!==null&&(a.matrix.fromArray(s.transform.matrix),a.matrix.decompose(a.position,a.quaternion,a.scale),a.matrixWorldNeedsUpdate=!0,s.linearVelocity?(a.hasLinearVelocity=!0,a.linearVelocity.copy(s.linearVelocity)):a.hasLinearVelocity=!1,s.angularVelocity?(a.hasAngularVelocity=!0,a.angularVelocity.copy(s.angularVelocity)):a.hasAngularVelocity=!1,this.dispatchEvent(j_)))}return a!==null&&(a.visible=s!==null),l!==null&&(l.visible=r!==null),c!==null&&(c.visible=o!==null),this}_getHandJoint(t,e){if(t.joints[e.jointName]===void 0){let n=new te;n.matrixAutoUpdate=!1,n.visible=!1,t.joints[e.jointName]=n,t.add(n)}return t.joints[e.jointName]}},wm={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},Vs={h:0,s:0,l:0},hl={h:0,s:0,l:0};function yu(i,t,e){return e<0&&(e+=1),e>1&&(e-=1),e<1/6?i+(t-i)*6*e:e<1/2?t:e<2/3?i+(t-i)*6*(2/3-e):i}var ae=class{constructor(t,e,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(t,e,n)}set(t,e,n){if(e===void 0&&n===void 0){let s=t;s&&s.isColor?this.copy(s):typeof s=="number"?this.setHex(s):typeof s=="string"&&this.setStyle(s)}else this.setRGB(t,e,n);return this}setScalar(t){return this.r=t,this.g=t,this.b=t,this}setHex(t,e=pi){return t=Math.floor(t),this.r=(t>>16&255)/255,this.g=(t>>8&255)/255,this.b=(t&255)/255,ve.colorSpaceToWorking(this,e),this}setRGB(t,e,n,s=ve.workingColorSpace){return this.r=t,this.g=e,this.b=n,ve.colorSpaceToWorking(this,s),this}setHSL(t,e,n,s=ve.workingColorSpace){if(t=Mf(t,1),e=ce(e,0,1),n=ce(n,0,1),e===0)this.r=this.g=this.b=n;else{let r=n<=.5?n*(1+e):n+e-n*e,o=2*n-r;this.r=yu(o,r,t+1/3),this.g=yu(o,r,t),this.b=yu(o,r,t-1/3)}return ve.colorSpaceToWorking(this,s),this}setStyle(t,e=pi){function n(r){r!==void 0&&parseFloat(r)<1&&Zt("Color: Alpha component of "+t+" will be ignored.")}let s;if(s=/^(\w+)\(([^\)]*)\)/.exec(t)){let r,o=s[1],a=s[2];switch(o){case"rgb":case"rgba":if(r=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(255,parseInt(r[1],10))/255,Math.min(255,parseInt(r[2],10))/255,Math.min(255,parseInt(r[3],10))/255,e);if(r=/^\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(100,parseFloat(r[1]))/100,Math.min(100,parseFloat(r[2]))/100,Math.min(100,parseFloat(r[3]))/100,e);break;case"hsl":case"hsla":if(r=/^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setHSL(parseFloat(r[1])/360,parseFloat(r[2])/100,parseFloat(r[3])/100,e);break;default:Zt("Color: Unknown color model "+t)}}else if(s=/^\#([A-Fa-f\d]+)$/.exec(t)){let r=s[1],o=r.length;if(o===3)return this.setRGB(parseInt(r.charAt(0),16)/15,parseInt(r.charAt(1),16)/15,parseInt(r.charAt(2),16)/15,e);if(o===6)return this.setHex(parseInt(r,16),e);Zt("Color: Invalid hex color "+t)}else if(t&&t.length>0)return this.setColorName(t,e);return this}setColorName(t,e=pi){let n=wm[t.toLowerCase()];return n!==void 0?this.setHex(n,e):Zt("Color: Unknown color "+t),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(t){return this.r=t.r,this.g=t.g,this.b=t.b,this}copySRGBToLinear(t){return this.r=Es(t.r),this.g=Es(t.g),this.b=Es(t.b),this}copyLinearToSRGB(t){return this.r=jr(t.r),this.g=jr(t.g),this.b=jr(t.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(t=pi){return ve.workingToColorSpace(Wn.copy(this),t),Math.round(ce(Wn.r*255,0,255))*65536+Math.round(ce(Wn.g*255,0,255))*256+Math.round(ce(Wn.b*255,0,255))}getHexString(t=pi){return("000000"+this.getHex(t).toString(16)).slice(-6)}getHSL(t,e=ve.workingColorSpace){ve.workingToColorSpace(Wn.copy(this),e);let n=Wn.r,s=Wn.g,r=Wn.b,o=Math.max(n,s,r),a=Math.min(n,s,r),l,c,h=(a+o)/2;if(a===o)l=0,c=0;else{let u=o-a;switch(c=h<=.5?u/(o+a):u/(2-o-a),o){case n:l=(s-r)/u+(s<r?6:0);break;case s:l=(r-n)/u+2;break;case r:l=(n-s)/u+4;break}l/=6}return t.h=l,t.s=c,t.l=h,t}getRGB(t,e=ve.workingColorSpace){return ve.workingToColorSpace(Wn.copy(this),e),t.r=Wn.r,t.g=Wn.g,t.b=Wn.b,t}getStyle(t=pi){ve.workingToColorSpace(Wn.copy(this),t);let e=Wn.r,n=Wn.g,s=Wn.b;return t!==pi?`color(${t} ${e.toFixed(3)} ${n.toFixed(3)} ${s.toFixed(3)})`:`rgb(${Math.round(e*255)},${Math.round(n*255)},${Math.round(s*255)})`}offsetHSL(t,e,n){return this.getHSL(Vs),this.setHSL(Vs.h+t,Vs.s+e,Vs.l+n)}add(t){return this.r+=t.r,this.g+=t.g,this.b+=t.b,this}addColors(t,e){return this.r=t.r+e.r,this.g=t.g+e.g,this.b=t.b+e.b,this}addScalar(t){return this.r+=t,this.g+=t,this.b+=t,this}sub(t){return this.r=Math.max(0,this.r-t.r),this.g=Math.max(0,this.g-t.g),this.b=Math.max(0,this.b-t.b),this}multiply(t){return this.r*=t.r,this.g*=t.g,this.b*=t.b,this}multiplyScalar(t){return this.r*=t,this.g*=t,this.b*=t,this}lerp(t,e){return this.r+=(t.r-this.r)*e,this.g+=(t.g-this.g)*e,this.b+=(t.b-this.b)*e,this}lerpColors(t,e,n){return this.r=t.r+(e.r-t.r)*n,this.g=t.g+(e.g-t.g)*n,this.b=t.b+(e.b-t.b)*n,this}lerpHSL(t,e){this.getHSL(Vs),t.getHSL(hl);let n=ea(Vs.h,hl.h,e),s=ea(Vs.s,hl.s,e),r=ea(Vs.l,hl.l,e);return this.setHSL(n,s,r),this}setFromVector3(t){return this.r=t.x,this.g=t.y,this.b=t.z,this}applyMatrix3(t){let e=this.r,n=this.g,s=this.b,r=t.elements;return this.r=r[0]*e+r[3]*n+r[6]*s,this.g=r[1]*e+r[4]*n+r[7]*s,this.b=r[2]*e+r[5]*n+r[8]*s,this}equals(t){return t.r===this.r&&t.g===this.g&&t.b===this.b}fromArray(t,e=0){return this.r=t[e],this.g=t[e+1],this.b=t[e+2],this}toArray(t=[],e=0){return t[e]=this.r,t[e+1]=this.g,t[e+2]=this.b,t}fromBufferAttribute(t,e){return this.r=t.getX(e),this.g=t.getY(e),this.b=t.getZ(e),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}},Wn=new ae;ae.NAMES=wm;var ca=class extends Hn{constructor(){super(),this.isScene=!0,this.type="Scene",this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new As,this.environmentIntensity=1,this.environmentRotation=new As,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}copy(t,e){return super.copy(t,e),this.background=t.background!==null?t.background.clone():null,this.environment=t.environment!==null?t.environment.clone():null,this.fog=t.fog!==null?t.fog.clone():null,this.backgroundBlurriness=t.backgroundBlurriness,this.backgroundIntensity=t.backgroundIntensity,this.backgroundRotation.copy(t.backgroundRotation),this.environmentIntensity=t.environmentIntensity,this.environmentRotation.copy(t.environmentRotation),this.overrideMaterial=t.overrideMaterial!==null?t.overrideMaterial.clone():null,this.matrixAutoUpdate=t.matrixAutoUpdate,this}toJSON(t){let e=super.toJSON(t);return this.fog!==null&&(e.object.fog=this.fog.toJSON()),e.object.backgroundBlurriness=this.backgroundBlurriness,e.object.backgroundIntensity=this.backgroundIntensity,e.object.backgroundRotation=this.backgroundRotation.toArray(),e.object.environmentIntensity=this.environmentIntensity,e.object.environmentRotation=this.environmentRotation.toArray(),e}},Oi=new F,vs=new F,vu=new F,Ms=new F,Gr=new F,Vr=new F,xp=new F,Mu=new F,Su=new F,bu=new F,wu=new tn,Eu=new tn,Tu=new tn,ws=class i{constructor(t=new F,e=new F,n=new F){this.a=t,this.b=e,this.c=n}static getNormal(t,e,n,s){s.subVectors(n,e),Oi.subVectors(t,e),s.cross(Oi);let r=s.lengthSq();return r>0?s.multiplyScalar(1/Math.sqrt(r)):s.set(0,0,0)}static getBarycoord(t,e,n,s,r){Oi.subVectors(s,e),vs.subVectors(n,e),vu.subVectors(t,e);let o=Oi.dot(Oi),a=Oi.dot(vs),l=Oi.dot(vu),c=vs.dot(vs),h=vs.dot(vu),u=o*c-a*a;if(u===0)return r.set(0,0,0),null;let f=1/u,d=(c*l-a*h)*f,p=(o*h-a*l)*f;return r.set(1-d-p,p,d)}static containsPoint(t,e,n,s){return this.getBarycoord(t,e,n,s,Ms)===null?!1:Ms.x>=0&&Ms.y>=0&&Ms.x+Ms.y<=1}static getInterpolation(t,e,n,s,r,o,a,l){return this.getBarycoord(t,e,n,s,Ms)===null?(l.x=0,l.y=0,"z"in l&&(l.z=0),"w"in l&&(l.w=0),null):(l.setScalar(0),l.addScaledVector(r,Ms.x),l.addScaledVector(o,Ms.y),l.addScaledVector(a,Ms.z),l)}static getInterpolatedAttribute(t,e,n,s,r,o){return wu.setScalar(0),Eu.setScalar(0),Tu.setScalar(0),wu.fromBufferAttribute(t,e),Eu.fromBufferAttribute(t,n),Tu.fromBufferAttribute(t,s),o.setScalar(0),o.addScaledVector(wu,r.x),o.addScaledVector(Eu,r.y),o.addScaledVector(Tu,r.z),o}static isFrontFacing(t,e,n,s){return Oi.subVectors(n,e),vs.subVectors(t,e),Oi.cross(vs).dot(s)<0}set(t,e,n){return this.a.copy(t),this.b.copy(e),this.c.copy(n),this}setFromPointsAndIndices(t,e,n,s){return this.a.copy(t[e]),this.b.copy(t[n]),this.c.copy(t[s]),this}setFromAttributeAndIndices(t,e,n,s){return this.a.fromBufferAttribute(t,e),this.b.fromBufferAttribute(t,n),this.c.fromBufferAttribute(t,s),this}clone(){return new this.constructor().copy(this)}copy(t){return this.a.copy(t.a),this.b.copy(t.b),this.c.copy(t.c),this}getArea(){return Oi.subVectors(this.c,this.b),vs.subVectors(this.a,this.b),Oi.cross(vs).length()*.5}getMidpoint(t){return t.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(t){return i.getNormal(this.a,this.b,this.c,t)}getPlane(t){return t.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(t,e){return i.getBarycoord(t,this.a,this.b,this.c,e)}getInterpolation(t,e,n,s,r){return i.getInterpolation(t,this.a,this.b,this.c,e,n,s,r)}containsPoint(t){return i.containsPoint(t,this.a,this.b,this.c)}isFrontFacing(t){return i.isFrontFacing(this.a,this.b,this.c,t)}intersectsBox(t){return t.intersectsTriangle(this)}closestPointToPoint(t,e){let n=this.a,s=this.b,r=this.c,o,a;Gr.subVectors(s,n),Vr.subVectors(r,n),Mu.subVectors(t,n);let l=Gr.dot(Mu),c=Vr.dot(Mu);if(l<=0&&c<=0)return e.copy(n);Su.subVectors(t,s);let h=Gr.dot(Su),u=Vr.dot(Su);if(h>=0&&u<=h)return e.copy(s);let f=l*u-h*c;if(f<=0&&l>=0&&h<=0&&l-h>0)return o=l/(l-h),e.copy(n).addScaledVector(Gr,o);bu.subVectors(t,r);let d=Gr.dot(bu),p=Vr.dot(bu);if(p>=0&&d<=p)return e.copy(r);let v=d*c-l*p;if(v<=0&&c>=0&&p<=0)return a=c/(c-p),e.copy(n).addScaledVector(Vr,a);let g=h*p-d*u;if(g<=0&&u-h>=0&&d-p>=0)return xp.subVectors(r,s),a=(u-h)/(u-h+(d-p)),e.copy(s).addScaledVector(xp,a);let m=1/(g+v+f);return o=v*m,a=f*m,e.copy(n).addScaledVector(Gr,o).addScaledVector(Vr,a)}equals(t){return t.a.equals(this.a)&&t.b.equals(this.b)&&t.c.equals(this.c)}},ii=class{constructor(t=new F(1/0,1/0,1/0),e=new F(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=t,this.max=e}set(t,e){return this.min.copy(t),this.max.copy(e),this}setFromArray(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e+=3)this.expandByPoint(Bi.fromArray(t,e));return this}setFromBufferAttribute(t){this.makeEmpty();for(let e=0,n=t.count;e<n;e++)this.expandByPoint(Bi.fromBufferAttribute(t,e));return this}setFromPoints(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e++)this.expandByPoint(t[e]);return this}setFromCenterAndSize(t,e){let n=Bi.copy(e).multiplyScalar(.5);return this.min.copy(t).sub(n),this.max.copy(t).add(n),this}setFromObject(t,e=!1){return this.makeEmpty(),this.expandByObject(t,e)}clone(){return new this.constructor().copy(this)}copy(t){return this.min.copy(t.min),this.max.copy(t.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(t){return this.isEmpty()?t.set(0,0,0):t.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(t){return this.isEmpty()?t.set(0,0,0):t.subVectors(this.max,this.min)}expandByPoint(t){return this.min.min(t),this.max.max(t),this}expandByVector(t){return this.min.sub(t),this.max.add(t),this}expandByScalar(t){return this.min.addScalar(-t),this.max.addScalar(t),this}expandByObject(t,e=!1){t.updateWorldMatrix(!1,!1);let n=t.geometry;if(n!==void 0){let r=n.getAttribute("position");if(e===!0&&r!==void 0&&t.isInstancedMesh!==!0&&t.isBatchedMesh!==!0)for(let o=0,a=r.count;o<a;o++)t.isMesh===!0?t.getVertexPosition(o,Bi):Bi.fromBufferAttribute(r,o),Bi.applyMatrix4(t.matrixWorld),this.expandByPoint(Bi);else t.boundingBox!==void 0?(t.boundingBox===null&&t.computeBoundingBox(),ul.copy(t.boundingBox)):(n.boundingBox===null&&n.computeBoundingBox(),ul.copy(n.boundingBox)),ul.applyMatrix4(t.matrixWorld),this.union(ul)}let s=t.children;for(let r=0,o=s.length;r<o;r++)this.expandByObject(s[r],e);return this}containsPoint(t){return t.x>=this.min.x&&t.x<=this.max.x&&t.y>=this.min.y&&t.y<=this.max.y&&t.z>=this.min.z&&t.z<=this.max.z}containsBox(t){return this.min.x<=t.min.x&&t.max.x<=this.max.x&&this.min.y<=t.min.y&&t.max.y<=this.max.y&&this.min.z<=t.min.z&&t.max.z<=this.max.z}getParameter(t,e){return e.set((t.x-this.min.x)/(this.max.x-this.min.x),(t.y-this.min.y)/(this.max.y-this.min.y),(t.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(t){return t.max.x>=this.min.x&&t.min.x<=this.max.x&&t.max.y>=this.min.y&&t.min.y<=this.max.y&&t.max.z>=this.min.z&&t.min.z<=this.max.z}intersectsSphere(t){return this.clampPoint(t.center,Bi),Bi.distanceToSquared(t.center)<=t.radius*t.radius}intersectsPlane(t){let e,n;return t.normal.x>0?(e=t.normal.x*this.min.x,n=t.normal.x*this.max.x):(e=t.normal.x*this.max.x,n=t.normal.x*this.min.x),t.normal.y>0?(e+=t.normal.y*this.min.y,n+=t.normal.y*this.max.y):(e+=t.normal.y*this.max.y,n+=t.normal.y*this.min.y),t.normal.z>0?(e+=t.normal.z*this.min.z,n+=t.normal.z*this.max.z):(e+=t.normal.z*this.max.z,n+=t.normal.z*this.min.z),e<=-t.constant&&n>=-t.constant}intersectsTriangle(t){if(this.isEmpty())return!1;this.getCenter(Jo),fl.subVectors(this.max,Jo),Wr.subVectors(t.a,Jo),Xr.subVectors(t.b,Jo),qr.subVectors(t.c,Jo),Ws.subVectors(Xr,Wr),Xs.subVectors(qr,Xr),lr.subVectors(Wr,qr);let e=[0,-Ws.z,Ws.y,0,-Xs.z,Xs.y,0,-lr.z,lr.y,Ws.z,0,-Ws.x,Xs.z,0,-Xs.x,lr.z,0,-lr.x,-Ws.y,Ws.x,0,-Xs.y,Xs.x,0,-lr.y,lr.x,0];return!Au(e,Wr,Xr,qr,fl)||(e=[1,0,0,0,1,0,0,0,1],!Au(e,Wr,Xr,qr,fl))?!1:(dl.crossVectors(Ws,Xs),e=[dl.x,dl.y,dl.z],Au(e,Wr,Xr,qr,fl))}clampPoint(t,e){return e.copy(t).clamp(this.min,this.max)}distanceToPoint(t){return this.clampPoint(t,Bi).distanceTo(t)}getBoundingSphere(t){return this.isEmpty()?t.makeEmpty():(this.getCenter(t.center),t.radius=this.getSize(Bi).length()*.5),t}intersect(t){return this.min.max(t.min),this.max.min(t.max),this.isEmpty()&&this.makeEmpty(),this}union(t){return this.min.min(t.min),this.max.max(t.max),this}applyMatrix4(t){return this.isEmpty()?this:(Ss[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(t),Ss[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(t),Ss[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(t),Ss[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(t),Ss[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(t),Ss[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(t),Ss[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(t),Ss[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(t),this.setFromPoints(Ss),this)}translate(t){return this.min.add(t),this.max.add(t),this}equals(t){return t.min.equals(this.min)&&t.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(t){return this.min.fromArray(t.min),this.max.fromArray(t.max),this}},Ss=[new F,new F,new F,new F,new F,new F,new F,new F],Bi=new F,ul=new ii,Wr=new F,Xr=new F,qr=new F,Ws=new F,Xs=new F,lr=new F,Jo=new F,fl=new F,dl=new F,cr=new F;function Au(i,t,e,n,s){for(let r=0,o=i.length-3;r<=o;r+=3){cr.fromArray(i,r);let a=s.x*Math.abs(cr.x)+s.y*Math.abs(cr.y)+s.z*Math.abs(cr.z),l=t.dot(cr),c=e.dot(cr),h=n.dot(cr);if(Math.max(-Math.max(l,c,h),Math.min(l,c,h))>a)return!1}return!0}var yn=new F,pl=new It,Q_=0,gi=class extends ki{constructor(t,e,n=!1){if(super(),Array.isArray(t))throw new TypeError("THREE.BufferAttribute: array should be a Typed Array.");this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:Q_++}),this.name="",this.array=t,this.itemSize=e,this.count=t!==void 0?t.length/e:0,this.normalized=n,this.usage=_m,this.updateRanges=[],this.gpuType=Gi,this.version=0,this._normalizationScale=t!==void 0?bf(t):void 0}onUploadCallback(){}set needsUpdate(t){t===!0&&this.version++}setUsage(t){return this.usage=t,this}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}copy(t){return this.name=t.name,this.array=new t.array.constructor(t.array),this.itemSize=t.itemSize,this.count=t.count,this.normalized=t.normalized,this.usage=t.usage,this.gpuType=t.gpuType,this._normalizationScale=t._normalizationScale,this}copyAt(t,e,n){t*=this.itemSize,n*=e.itemSize;for(let s=0,r=this.itemSize;s<r;s++)this.array[t+s]=e.array[n+s];return this}copyArray(t){return this.array.set(t),this}applyMatrix3(t){if(this.itemSize===2)for(let e=0,n=this.count;e<n;e++)pl.fromBufferAttribute(this,e),pl.applyMatrix3(t),this.setXY(e,pl.x,pl.y);else if(this.itemSize===3)for(let e=0,n=this.count;e<n;e++)yn.fromBufferAttribute(this,e),yn.applyMatrix3(t),this.setXYZ(e,yn.x,yn.y,yn.z);return this}applyMatrix4(t){for(let e=0,n=this.count;e<n;e++)yn.fromBufferAttribute(this,e),yn.applyMatrix4(t),this.setXYZ(e,yn.x,yn.y,yn.z);return this}applyNormalMatrix(t){for(let e=0,n=this.count;e<n;e++)yn.fromBufferAttribute(this,e),yn.applyNormalMatrix(t),this.setXYZ(e,yn.x,yn.y,yn.z);return this}transformDirection(t){for(let e=0,n=this.count;e<n;e++)yn.fromBufferAttribute(this,e),yn.transformDirection(t),this.setXYZ(e,yn.x,yn.y,yn.z);return this}set(t,e=0){return this.array.set(t,e),this}getComponent(t,e){let n=this.array[t*this.itemSize+e];return this.normalized&&(n=this._denormalize(n)),n}setComponent(t,e,n){return this.normalized&&(n=this._normalize(n)),this.array[t*this.itemSize+e]=n,this}getX(t){let e=this.array[t*this.itemSize];return this.normalized&&(e=this._denormalize(e)),e}setX(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize]=e,this}getY(t){let e=this.array[t*this.itemSize+1];return this.normalized&&(e=this._denormalize(e)),e}setY(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+1]=e,this}getZ(t){let e=this.array[t*this.itemSize+2];return this.normalized&&(e=this._denormalize(e)),e}setZ(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+2]=e,this}getW(t){let e=this.array[t*this.itemSize+3];return this.normalized&&(e=this._denormalize(e)),e}setW(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+3]=e,this}setXY(t,e,n){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n)),this.array[t+0]=e,this.array[t+1]=n,this}setXYZ(t,e,n,s){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n),s=this._normalize(s)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this}setXYZW(t,e,n,s,r){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n),s=this._normalize(s),r=this._normalize(r)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this.array[t+3]=r,this}onUpload(t){return this.onUploadCallback=t,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){let t={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return t.name=this.name,t.usage=this.usage,t.gpuType=this.gpuType,t}dispose(){this.dispatchEvent({type:"dispose"})}_denormalize(t){let e=this._normalizationScale;return e!==void 0?Math.max(t/e,-1):Sm(t,this.array)}_normalize(t){let e=this._normalizationScale;return e!==void 0?Math.round(t*e):bm(t,this.array)}};var ha=class extends gi{constructor(t,e,n){super(new Uint16Array(t),e,n)}};var ua=class extends gi{constructor(t,e,n){super(new Uint32Array(t),e,n)}};var qt=class extends gi{constructor(t,e,n){super(new Float32Array(t),e,n)}},tx=new ii,Ko=new F,Ru=new F,fr=class{constructor(t=new F,e=-1){this.isSphere=!0,this.center=t,this.radius=e}set(t,e){return this.center.copy(t),this.radius=e,this}setFromPoints(t,e){let n=this.center;e!==void 0?n.copy(e):tx.setFromPoints(t).getCenter(n);let s=0;for(let r=0,o=t.length;r<o;r++)s=Math.max(s,n.distanceToSquared(t[r]));return this.radius=Math.sqrt(s),this}copy(t){return this.center.copy(t.center),this.radius=t.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(t){return t.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(t){return t.distanceTo(this.center)-this.radius}intersectsSphere(t){let e=this.radius+t.radius;return t.center.distanceToSquared(this.center)<=e*e}intersectsBox(t){return t.intersectsSphere(this)}intersectsPlane(t){return Math.abs(t.distanceToPoint(this.center))<=this.radius}clampPoint(t,e){let n=this.center.distanceToSquared(t);return e.copy(t),n>this.radius*this.radius&&(e.sub(this.center).normalize(),e.multiplyScalar(this.radius).add(this.center)),e}getBoundingBox(t){return this.isEmpty()?(t.makeEmpty(),t):(t.set(this.center,this.center),t.expandByScalar(this.radius),t)}applyMatrix4(t){return this.center.applyMatrix4(t),this.radius=this.radius*t.getMaxScaleOnAxis(),this}translate(t){return this.center.add(t),this}expandByPoint(t){if(this.isEmpty())return this.center.copy(t),this.radius=0,this;Ko.subVectors(t,this.center);let e=Ko.lengthSq();if(e>this.radius*this.radius){let n=Math.sqrt(e),s=(n-this.radius)*.5;this.center.addScaledVector(Ko,s/n),this.radius+=s}return this}union(t){return t.isEmpty()?this:this.isEmpty()?(this.copy(t),this):(this.center.equals(t.center)===!0?this.radius=Math.max(this.radius,t.radius):(Ru.subVectors(t.center,this.center).setLength(t.radius),this.expandByPoint(Ko.copy(t.center).add(Ru)),this.expandByPoint(Ko.copy(t.center).sub(Ru))),this)}equals(t){return t.center.equals(this.center)&&t.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(t){return this.radius=t.radius,this.center.fromArray(t.center),this}},ex=0,Ti=new ze,Cu=new Hn,Yr=new F,di=new ii,jo=new ii,Fn=new F,ge=class i extends ki{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:ex++}),this.uuid=mo(),this.name="",this.type="BufferGeometry",this.index=null,this.indirect=null,this.indirectOffset=0,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={},this._transformed=!1}getIndex(){return this.index}setIndex(t){return Array.isArray(t)?this.index=new(T_(t)?ua:ha)(t,1):this.index=t,this}setIndirect(t,e=0){return this.indirect=t,this.indirectOffset=e,this}getIndirect(){return this.indirect}getAttribute(t){return this.attributes[t]}setAttribute(t,e){return this.attributes[t]=e,this}deleteAttribute(t){return delete this.attributes[t],this}hasAttribute(t){return this.attributes[t]!==void 0}addGroup(t,e,n=0){this.groups.push({start:t,count:e,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(t,e){this.drawRange.start=t,this.drawRange.count=e}applyMatrix4(t){let e=this.attributes.position;e!==void 0&&(e.applyMatrix4(t),e.needsUpdate=!0);let n=this.attributes.normal;if(n!==void 0){let r=new ee().getNormalMatrix(t);n.applyNormalMatrix(r),n.needsUpdate=!0}let s=this.attributes.tangent;return s!==void 0&&(s.transformDirection(t),s.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this._transformed=!0,this}applyQuaternion(t){return Ti.makeRotationFromQuaternion(t),this.applyMatrix4(Ti),this}rotateX(t){return Ti.makeRotationX(t),this.applyMatrix4(Ti),this}rotateY(t){return Ti.makeRotationY(t),this.applyMatrix4(Ti),this}rotateZ(t){return Ti.makeRotationZ(t),this.applyMatrix4(Ti),this}translate(t,e,n){return Ti.makeTranslation(t,e,n),this.applyMatrix4(Ti),this}scale(t,e,n){return Ti.makeScale(t,e,n),this.applyMatrix4(Ti),this}lookAt(t){return Cu.lookAt(t),Cu.updateMatrix(),this.applyMatrix4(Cu.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(Yr).negate(),this.translate(Yr.x,Yr.y,Yr.z),this}setFromPoints(t){let e=this.getAttribute("position");if(e===void 0){let n=[];for(let s=0,r=t.length;s<r;s++){let o=t[s];n.push(o.x,o.y,o.z||0)}this.setAttribute("position",new qt(n,3))}else{let n=Math.min(t.length,e.count);for(let s=0;s<n;s++){let r=t[s];e.setXYZ(s,r.x,r.y,r.z||0)}t.length>e.count&&Zt("BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry."),e.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new ii);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){Qt("BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.",this),this.boundingBox.set(new F(-1/0,-1/0,-1/0),new F(1/0,1/0,1/0));return}if(t!==void 0){if(this.boundingBox.setFromBufferAttribute(t),e)for(let n=0,s=e.length;n<s;n++){let r=e[n];di.setFromBufferAttribute(r),this.morphTargetsRelative?(Fn.addVectors(this.boundingBox.min,di.min),this.boundingBox.expandByPoint(Fn),Fn.addVectors(this.boundingBox.max,di.max),this.boundingBox.expandByPoint(Fn)):(this.boundingBox.expandByPoint(di.min),this.boundingBox.expandByPoint(di.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&Qt('BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.',this)}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new fr);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){Qt("BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.",this),this.boundingSphere.set(new F,1/0);return}if(t){let n=this.boundingSphere.center;if(di.setFromBufferAttribute(t),e)for(let r=0,o=e.length;r<o;r++){let a=e[r];jo.setFromBufferAttribute(a),this.morphTargetsRelative?(Fn.addVectors(di.min,jo.min),di.expandByPoint(Fn),Fn.addVectors(di.max,jo.max),di.expandByPoint(Fn)):(di.expandByPoint(jo.min),di.expandByPoint(jo.max))}di.getCenter(n);let s=0;for(let r=0,o=t.count;r<o;r++)Fn.fromBufferAttribute(t,r),s=Math.max(s,n.distanceToSquared(Fn));if(e)for(let r=0,o=e.length;r<o;r++){let a=e[r],l=this.morphTargetsRelative;for(let c=0,h=a.count;c<h;c++)Fn.fromBufferAttribute(a,c),l&&(Yr.fromBufferAttribute(t,c),Fn.add(Yr)),s=Math.max(s,n.distanceToSquared(Fn))}this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&Qt('BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.',this)}}computeTangents(){let t=this.index,e=this.attributes;if(t===null||e.position===void 0||e.normal===void 0||e.uv===void 0){Qt("BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)");return}let n=e.position,s=e.normal,r=e.uv,o=this.getAttribute("tangent");(o===void 0||o.count!==n.count)&&(o=new gi(new Float32Array(4*n.count),4),this.setAttribute("tangent",o));let a=[],l=[],c=new Uint8Array(n.count);for(let U=0;U<n.count;U++)a[U]=new F,l[U]=new F;let h=new F,u=new F,f=new F,d=new It,p=new It,v=new It,g=new F,m=new F;function _(U,P,L){c[U]=c[P]=c[L]=1,h.fromBufferAttribute(n,U),u.fromBufferAttribute(n,P),f.fromBufferAttribute(n,L),d.fromBufferAttribute(r,U),p.fromBufferAttribute(r,P),v.fromBufferAttribute(r,L),u.sub(h),f.sub(h),p.sub(d),v.sub(d);let k=1/(p.x*v.y-v.x*p.y);isFinite(k)&&(g.copy(u).multiplyScalar(v.y).addScaledVector(f,-p.y).multiplyScalar(k),m.copy(f).multiplyScalar(p.x).addScaledVector(u,-v.x).multiplyScalar(k),a[U].add(g),a[P].add(g),a[L].add(g),l[U].add(m),l[P].add(m),l[L].add(m))}let b=this.groups;b.length===0&&(b=[{start:0,count:t.count}]);for(let U=0,P=b.length;U<P;++U){let L=b[U],k=L.start,H=L.count;for(let N=k,W=k+H;N<W;N+=3)_(t.getX(N+0),t.getX(N+1),t.getX(N+2))}let M=new F,R=new F,T=new F,x=new F;function w(U){T.fromBufferAttribute(s,U),x.copy(T);let P=a[U];M.copy(P),M.sub(T.multiplyScalar(T.dot(P))).normalize(),R.crossVectors(x,P);let k=R.dot(l[U])<0?-1:1;o.setXYZW(U,M.x,M.y,M.z,k)}for(let U=0,P=n.count;U<P;++U)c[U]&&w(U);this._transformed=!0}computeVertexNormals(){let t=this.index,e=this.getAttribute("position");if(e!==void 0){let n=this.getAttribute("normal");if(n===void 0||n.count!==e.count)n=new gi(new Float32Array(e.count*3),3),this.setAttribute("normal",n);else for(let f=0,d=n.count;f<d;f++)n.setXYZ(f,0,0,0);let s=new F,r=new F,o=new F,a=new F,l=new F,c=new F,h=new F,u=new F;if(t)for(let f=0,d=t.count;f<d;f+=3){let p=t.getX(f+0),v=t.getX(f+1),g=t.getX(f+2);s.fromBufferAttribute(e,p),r.fromBufferAttribute(e,v),o.fromBufferAttribute(e,g),h.subVectors(o,r),u.subVectors(s,r),h.cross(u),a.fromBufferAttribute(n,p),l.fromBufferAttribute(n,v),c.fromBufferAttribute(n,g),a.add(h),l.add(h),c.add(h),n.setXYZ(p,a.x,a.y,a.z),n.setXYZ(v,l.x,l.y,l.z),n.setXYZ(g,c.x,c.y,c.z)}else for(let f=0,d=e.count;f<d;f+=3)s.fromBufferAttribute(e,f+0),r.fromBufferAttribute(e,f+1),o.fromBufferAttribute(e,f+2),h.subVectors(o,r),u.subVectors(s,r),h.cross(u),n.setXYZ(f+0,h.x,h.y,h.z),n.setXYZ(f+1,h.x,h.y,h.z),n.setXYZ(f+2,h.x,h.y,h.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){let t=this.attributes.normal;for(let e=0,n=t.count;e<n;e++)Fn.fromBufferAttribute(t,e),Fn.normalize(),t.setXYZ(e,Fn.x,Fn.y,Fn.z)}toNonIndexed(){function t(a,l){let c=a.array,h=a.itemSize,u=a.normalized,f=new c.constructor(l.length*h),d=0,p=0;for(let v=0,g=l.length;v<g;v++){a.isInterleavedBufferAttribute?d=l[v]*a.data.stride+a.offset:d=l[v]*h;for(let m=0;m<h;m++)f[p++]=c[d++]}return new gi(f,h,u)}if(this.index===null)return Zt("BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed."),this;let e=new i,n=this.index.array,s=this.attributes;for(let a in s){let l=s[a],c=t(l,n);e.setAttribute(a,c)}let r=this.morphAttributes;for(let a in r){let l=[],c=r[a];for(let h=0,u=c.length;h<u;h++){let f=c[h],d=t(f,n);l.push(d)}e.morphAttributes[a]=l}e.morphTargetsRelative=this.morphTargetsRelative;let o=this.groups;for(let a=0,l=o.length;a<l;a++){let c=o[a];e.addGroup(c.start,c.count,c.materialIndex)}return e}toJSON(){let t={metadata:{version:4.7,type:"BufferGeometry",generator:"BufferGeometry.toJSON"}};if(t.uuid=this.uuid,t.type=this.parameters!==void 0&&this._transformed===!0?"BufferGeometry":this.type,t.name=this.name,Object.keys(this.userData).length>0&&(t.userData=this.userData),this.parameters!==void 0&&this._transformed!==!0){let l=this.parameters;for(let c in l)l[c]!==void 0&&(t[c]=l[c]);return t}t.data={attributes:{}};let e=this.index;e!==null&&(t.data.index={type:e.array.constructor.name,array:Array.prototype.slice.call(e.array)});let n=this.attributes;for(let l in n){let c=n[l];t.data.attributes[l]=c.toJSON(t.data)}let s={},r=!1;for(let l in this.morphAttributes){let c=this.morphAttributes[l],h=[];for(let u=0,f=c.length;u<f;u++){let d=c[u];h.push(d.toJSON(t.data))}h.length>0&&(s[l]=h,r=!0)}r&&(t.data.morphAttributes=s,t.data.morphTargetsRelative=this.morphTargetsRelative);let o=this.groups;o.length>0&&(t.data.groups=JSON.parse(JSON.stringify(o)));let a=this.boundingSphere;return a!==null&&(t.data.boundingSphere=a.toJSON()),t}clone(){return new this.constructor().copy(this)}copy(t){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;let e={};this.name=t.name;let n=t.index;n!==null&&this.setIndex(n.clone());let s=t.attributes;for(let c in s){let h=s[c];this.setAttribute(c,h.clone(e))}let r=t.morphAttributes;for(let c in r){let h=[],u=r[c];for(let f=0,d=u.length;f<d;f++)h.push(u[f].clone(e));this.morphAttributes[c]=h}this.morphTargetsRelative=t.morphTargetsRelative;let o=t.groups;for(let c=0,h=o.length;c<h;c++){let u=o[c];this.addGroup(u.start,u.count,u.materialIndex)}let a=t.boundingBox;a!==null&&(this.boundingBox=a.clone());let l=t.boundingSphere;return l!==null&&(this.boundingSphere=l.clone()),this.drawRange.start=t.drawRange.start,this.drawRange.count=t.drawRange.count,this.userData=t.userData,this._transformed=t._transformed,this}dispose(){this.dispatchEvent({type:"dispose"})}};var Pu=new F,nx=new F,ix=new ee,mi=class{constructor(t=new F(1,0,0),e=0){this.isPlane=!0,this.normal=t,this.constant=e}set(t,e){return this.normal.copy(t),this.constant=e,this}setComponents(t,e,n,s){return this.normal.set(t,e,n),this.constant=s,this}setFromNormalAndCoplanarPoint(t,e){return this.normal.copy(t),this.constant=-e.dot(this.normal),this}setFromCoplanarPoints(t,e,n){let s=Pu.subVectors(n,e).cross(nx.subVectors(t,e)).normalize();return this.setFromNormalAndCoplanarPoint(s,t),this}copy(t){return this.normal.copy(t.normal),this.constant=t.constant,this}normalize(){let t=1/this.normal.length();return this.normal.multiplyScalar(t),this.constant*=t,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(t){return this.normal.dot(t)+this.constant}distanceToSphere(t){return this.distanceToPoint(t.center)-t.radius}projectPoint(t,e){return e.copy(t).addScaledVector(this.normal,-this.distanceToPoint(t))}intersectLine(t,e,n=!0){let s=t.delta(Pu),r=this.normal.dot(s);if(r===0)return this.distanceToPoint(t.start)===0?e.copy(t.start):null;let o=-(t.start.dot(this.normal)+this.constant)/r;return n===!0&&(o<0||o>1)?null:e.copy(t.start).addScaledVector(s,o)}intersectsLine(t){let e=this.distanceToPoint(t.start),n=this.distanceToPoint(t.end);return e<0&&n>0||n<0&&e>0}intersectsBox(t){return t.intersectsPlane(this)}intersectsSphere(t){return t.intersectsPlane(this)}coplanarPoint(t){return t.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(t,e){let n=e||ix.getNormalMatrix(t),s=this.coplanarPoint(Pu).applyMatrix4(t),r=this.normal.applyMatrix3(n).normalize();return this.constant=-s.dot(r),this}translate(t){return this.constant-=t.dot(this.normal),this}equals(t){return t.normal.equals(this.normal)&&t.constant===this.constant}clone(){return new this.constructor().copy(this)}toJSON(){return{normal:this.normal.toArray(),constant:this.constant}}fromJSON(t){return this.normal.fromArray(t.normal),this.constant=t.constant,this}},sx=0,Rs=class extends ki{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:sx++}),this.uuid=mo(),this.name="",this.type="Material",this.blending=uo,this.side=tr,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=Ku,this.blendDst=ju,this.blendEquation=gr,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new ae(0,0,0),this.blendAlpha=0,this.depthFunc=Qr,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=um,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=Nl,this.stencilZFail=Nl,this.stencilZPass=Nl,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(t){this._alphaTest>0!=t>0&&this.version++,this._alphaTest=t}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(t){if(t!==void 0)for(let e in t){let n=t[e];if(n===void 0){Zt(`Material: parameter '${e}' has value of undefined.`);continue}let s=this[e];if(s===void 0){Zt(`Material: '${e}' is not a property of THREE.${this.type}.`);continue}s&&s.isColor?s.set(n):s&&s.isVector2&&n&&n.isVector2||s&&s.isEuler&&n&&n.isEuler||s&&s.isVector3&&n&&n.isVector3?s.copy(n):this[e]=n}}toJSON(t){let e=t===void 0||typeof t=="string";e&&(t={textures:{},images:{}});let n={metadata:{version:4.7,type:"Material",generator:"Material.toJSON"}};n.uuid=this.uuid,n.type=this.type,n.blending=this.blending,n.side=this.side,n.shadowSide=this.shadowSide,n.vertexColors=this.vertexColors,n.opacity=this.opacity,n.transparent=this.transparent,n.blendSrc=this.blendSrc,n.blendDst=this.blendDst,n.blendEquation=this.blendEquation,n.blendSrcAlpha=this.blendSrcAlpha,n.blendDstAlpha=this.blendDstAlpha,n.blendEquationAlpha=this.blendEquationAlpha,n.blendColor=this.blendColor.getHex(),n.blendAlpha=this.blendAlpha,n.depthFunc=this.depthFunc,n.depthTest=this.depthTest,n.depthWrite=this.depthWrite,n.colorWrite=this.colorWrite,n.clipIntersection=this.clipIntersection,n.clipShadows=this.clipShadows,n.stencilWriteMask=this.stencilWriteMask,n.stencilFunc=this.stencilFunc,n.stencilRef=this.stencilRef,n.stencilFuncMask=this.stencilFuncMask,n.stencilFail=this.stencilFail,n.stencilZFail=this.stencilZFail,n.stencilZPass=this.stencilZPass,n.stencilWrite=this.stencilWrite,n.polygonOffset=this.polygonOffset,n.polygonOffsetFactor=this.polygonOffsetFactor,n.polygonOffsetUnits=this.polygonOffsetUnits,n.dithering=this.dithering,n.alphaTest=this.alphaTest,n.alphaHash=this.alphaHash,n.alphaToCoverage=this.alphaToCoverage,n.premultipliedAlpha=this.premultipliedAlpha,n.forceSinglePass=this.forceSinglePass,n.allowOverride=this.allowOverride,n.visible=this.visible,n.toneMapped=this.toneMapped,n.name=this.name,this.color&&this.color.isColor&&(n.color=this.color.getHex()),this.roughness!==void 0&&(n.roughness=this.roughness),this.metalness!==void 0&&(n.metalness=this.metalness),this.sheen!==void 0&&(n.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(n.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(n.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(n.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&(n.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(n.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(n.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(n.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(n.shininess=this.shininess),this.clearcoat!==void 0&&(n.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(n.clearcoatRoughness=this.clearcoatRoughness),this.diffuseRoughness!==void 0&&(n.diffuseRoughness=this.diffuseRoughness),this.diffuseRoughnessMap&&this.diffuseRoughnessMap.isTexture&&(n.diffuseRoughnessMap=this.diffuseRoughnessMap.toJSON(t).uuid),this.clearcoatMap&&this.clearcoatMap.isTexture&&(n.clearcoatMap=this.clearcoatMap.toJSON(t).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(n.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(t).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(n.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(t).uuid,n.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(n.sheenColorMap=this.sheenColorMap.toJSON(t).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(n.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(t).uuid),this.dispersion!==void 0&&(n.dispersion=this.dispersion),this.retroreflectivity!==void 0&&(n.retroreflectivity=this.retroreflectivity),this.iridescence!==void 0&&(n.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(n.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessMinimum!==void 0&&(n.iridescenceThicknessMinimum=this.iridescenceThicknessMinimum),this.iridescenceThicknessMaximum!==void 0&&(n.iridescenceThicknessMaximum=this.iridescenceThicknessMaximum),this.iridescenceMap&&this.iridescenceMap.isTexture&&(n.iridescenceMap=this.iridescenceMap.toJSON(t).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(n.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(t).uuid),this.anisotropy!==void 0&&(n.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(n.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(n.anisotropyMap=this.anisotropyMap.toJSON(t).uuid),this.map&&this.map.isTexture&&(n.map=this.map.toJSON(t).uuid),this.matcap&&this.matcap.isTexture&&(n.matcap=this.matcap.toJSON(t).uuid),this.alphaMap&&this.alphaMap.isTexture&&(n.alphaMap=this.alphaMap.toJSON(t).uuid),this.lightMap&&this.lightMap.isTexture&&(n.lightMap=this.lightMap.toJSON(t).uuid,n.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(n.aoMap=this.aoMap.toJSON(t).uuid,n.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(n.bumpMap=this.bumpMap.toJSON(t).uuid,n.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(n.normalMap=this.normalMap.toJSON(t).uuid,n.normalMapType=this.normalMapType,n.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(n.displacementMap=this.displacementMap.toJSON(t).uuid,n.displacementScale=this.displacementScale,n.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(n.roughnessMap=this.roughnessMap.toJSON(t).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(n.metalnessMap=this.metalnessMap.toJSON(t).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(n.emissiveMap=this.emissiveMap.toJSON(t).uuid),this.specularMap&&this.specularMap.isTexture&&(n.specularMap=this.specularMap.toJSON(t).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(n.specularIntensityMap=this.specularIntensityMap.toJSON(t).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(n.specularColorMap=this.specularColorMap.toJSON(t).uuid),this.envMap&&this.envMap.isTexture&&(n.envMap=this.envMap.toJSON(t).uuid,this.combine!==void 0&&(n.combine=this.combine)),this.envMapRotation!==void 0&&(n.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(n.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(n.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(n.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(n.gradientMap=this.gradientMap.toJSON(t).uuid),this.transmission!==void 0&&(n.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(n.transmissionMap=this.transmissionMap.toJSON(t).uuid),this.thickness!==void 0&&(n.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(n.thicknessMap=this.thicknessMap.toJSON(t).uuid),this.attenuationDistance!==void 0&&(n.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(n.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(n.size=this.size),this.sizeAttenuation!==void 0&&(n.sizeAttenuation=this.sizeAttenuation),Array.isArray(this.clippingPlanes)&&this.clippingPlanes.length>0&&(n.clippingPlanes=this.clippingPlanes.map(r=>r.toJSON())),this.rotation!==void 0&&(n.rotation=this.rotation),this.depthPacking!==void 0&&(n.depthPacking=this.depthPacking),this.linewidth!==void 0&&(n.linewidth=this.linewidth),this.linecap!==void 0&&(n.linecap=this.linecap),this.linejoin!==void 0&&(n.linejoin=this.linejoin),this.dashSize!==void 0&&(n.dashSize=this.dashSize),this.gapSize!==void 0&&(n.gapSize=this.gapSize),this.scale!==void 0&&(n.scale=this.scale),this.wireframe!==void 0&&(n.wireframe=this.wireframe),this.wireframeLinewidth!==void 0&&(n.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!==void 0&&(n.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!==void 0&&(n.wireframeLinejoin=this.wireframeLinejoin),this.flatShading!==void 0&&(n.flatShading=this.flatShading),this.fog!==void 0&&(n.fog=this.fog),Object.keys(this.userData).length>0&&(n.userData=this.userData);function s(r){let o=[];for(let a in r){let l=r[a];delete l.metadata,o.push(l)}return o}if(e){let r=s(t.textures),o=s(t.images);r.length>0&&(n.textures=r),o.length>0&&(n.images=o)}return n}fromJSON(t,e){if(t.uuid!==void 0&&(this.uuid=t.uuid),t.name!==void 0&&(this.name=t.name),t.color!==void 0&&this.color!==void 0&&this.color.setHex(t.color),t.roughness!==void 0&&(this.roughness=t.roughness),t.metalness!==void 0&&(this.metalness=t.metalness),t.sheen!==void 0&&(this.sheen=t.sheen),t.sheenColor!==void 0&&(this.sheenColor=new ae().setHex(t.sheenColor)),t.sheenRoughness!==void 0&&(this.sheenRoughness=t.sheenRoughness),t.emissive!==void 0&&this.emissive!==void 0&&this.emissive.setHex(t.emissive),t.specular!==void 0&&this.specular!==void 0&&this.specular.setHex(t.specular),t.specularIntensity!==void 0&&(this.specularIntensity=t.specularIntensity),t.specularColor!==void 0&&this.specularColor!==void 0&&this.specularColor.setHex(t.specularColor),t.shininess!==void 0&&(this.shininess=t.shininess),t.clearcoat!==void 0&&(this.clearcoat=t.clearcoat),t.clearcoatRoughness!==void 0&&(this.clearcoatRoughness=t.clearcoatRoughness),t.diffuseRoughness!==void 0&&(this.diffuseRoughness=t.diffuseRoughness),t.dispersion!==void 0&&(this.dispersion=t.dispersion),t.retroreflectivity!==void 0&&(this.retroreflectivity=t.retroreflectivity),t.iridescence!==void 0&&(this.iridescence=t.iridescence),t.iridescenceIOR!==void 0&&(this.iridescenceIOR=t.iridescenceIOR),t.iridescenceThicknessMinimum!==void 0&&(this.iridescenceThicknessMinimum=t.iridescenceThicknessMinimum),t.iridescenceThicknessMaximum!==void 0&&(this.iridescenceThicknessMaximum=t.iridescenceThicknessMaximum),t.iridescenceThicknessRange!==void 0&&(this.iridescenceThicknessMinimum=t.iridescenceThicknessRange[0],this.iridescenceThicknessMaximum=t.iridescenceThicknessRange[1]),t.transmission!==void 0&&(this.transmission=t.transmission),t.thickness!==void 0&&(this.thickness=t.thickness),t.attenuationDistance!==void 0&&(this.attenuationDistance=t.attenuationDistance),t.attenuationColor!==void 0&&this.attenuationColor!==void 0&&this.attenuationColor.setHex(t.attenuationColor),t.anisotropy!==void 0&&(this.anisotropy=t.anisotropy),t.anisotropyRotation!==void 0&&(this.anisotropyRotation=t.anisotropyRotation),t.fog!==void 0&&(this.fog=t.fog),t.flatShading!==void 0&&(this.flatShading=t.flatShading),t.blending!==void 0&&(this.blending=t.blending),t.combine!==void 0&&(this.combine=t.combine),t.side!==void 0&&(this.side=t.side),t.shadowSide!==void 0&&(this.shadowSide=t.shadowSide),t.opacity!==void 0&&(this.opacity=t.opacity),t.transparent!==void 0&&(this.transparent=t.transparent),t.alphaTest!==void 0&&(this.alphaTest=t.alphaTest),t.alphaHash!==void 0&&(this.alphaHash=t.alphaHash),t.depthFunc!==void 0&&(this.depthFunc=t.depthFunc),t.depthTest!==void 0&&(this.depthTest=t.depthTest),t.depthWrite!==void 0&&(this.depthWrite=t.depthWrite),t.colorWrite!==void 0&&(this.colorWrite=t.colorWrite),t.clippingPlanes!==void 0&&(this.clippingPlanes=t.clippingPlanes.map(n=>new mi().fromJSON(n))),t.clipIntersection!==void 0&&(this.clipIntersection=t.clipIntersection),t.clipShadows!==void 0&&(this.clipShadows=t.clipShadows),t.depthPacking!==void 0&&(this.depthPacking=t.depthPacking),t.blendSrc!==void 0&&(this.blendSrc=t.blendSrc),t.blendDst!==void 0&&(this.blendDst=t.blendDst),t.blendEquation!==void 0&&(this.blendEquation=t.blendEquation),t.blendSrcAlpha!==void 0&&(this.blendSrcAlpha=t.blendSrcAlpha),t.blendDstAlpha!==void 0&&(this.blendDstAlpha=t.blendDstAlpha),t.blendEquationAlpha!==void 0&&(this.blendEquationAlpha=t.blendEquationAlpha),t.blendColor!==void 0&&this.blendColor!==void 0&&this.blendColor.setHex(t.blendColor),t.blendAlpha!==void 0&&(this.blendAlpha=t.blendAlpha),t.stencilWriteMask!==void 0&&(this.stencilWriteMask=t.stencilWriteMask),t.stencilFunc!==void 0&&(this.stencilFunc=t.stencilFunc),t.stencilRef!==void 0&&(this.stencilRef=t.stencilRef),t.stencilFuncMask!==void 0&&(this.stencilFuncMask=t.stencilFuncMask),t.stencilFail!==void 0&&(this.stencilFail=t.stencilFail),t.stencilZFail!==void 0&&(this.stencilZFail=t.stencilZFail),t.stencilZPass!==void 0&&(this.stencilZPass=t.stencilZPass),t.stencilWrite!==void 0&&(this.stencilWrite=t.stencilWrite),t.wireframe!==void 0&&(this.wireframe=t.wireframe),t.wireframeLinewidth!==void 0&&(this.wireframeLinewidth=t.wireframeLinewidth),t.wireframeLinecap!==void 0&&(this.wireframeLinecap=t.wireframeLinecap),t.wireframeLinejoin!==void 0&&(this.wireframeLinejoin=t.wireframeLinejoin),t.rotation!==void 0&&(this.rotation=t.rotation),t.linewidth!==void 0&&(this.linewidth=t.linewidth),t.linecap!==void 0&&(this.linecap=t.linecap),t.linejoin!==void 0&&(this.linejoin=t.linejoin),t.dashSize!==void 0&&(this.dashSize=t.dashSize),t.gapSize!==void 0&&(this.gapSize=t.gapSize),t.scale!==void 0&&(this.scale=t.scale),t.polygonOffset!==void 0&&(this.polygonOffset=t.polygonOffset),t.polygonOffsetFactor!==void 0&&(this.polygonOffsetFactor=t.polygonOffsetFactor),t.polygonOffsetUnits!==void 0&&(this.polygonOffsetUnits=t.polygonOffsetUnits),t.dithering!==void 0&&(this.dithering=t.dithering),t.alphaToCoverage!==void 0&&(this.alphaToCoverage=t.alphaToCoverage),t.premultipliedAlpha!==void 0&&(this.premultipliedAlpha=t.premultipliedAlpha),t.forceSinglePass!==void 0&&(this.forceSinglePass=t.forceSinglePass),t.allowOverride!==void 0&&(this.allowOverride=t.allowOverride),t.visible!==void 0&&(this.visible=t.visible),t.toneMapped!==void 0&&(this.toneMapped=t.toneMapped),t.userData!==void 0&&(this.userData=t.userData),t.vertexColors!==void 0&&(typeof t.vertexColors=="number"?this.vertexColors=t.vertexColors>0:this.vertexColors=t.vertexColors),t.size!==void 0&&(this.size=t.size),t.sizeAttenuation!==void 0&&(this.sizeAttenuation=t.sizeAttenuation),t.map!==void 0&&(this.map=e[t.map]||null),t.matcap!==void 0&&(this.matcap=e[t.matcap]||null),t.alphaMap!==void 0&&(this.alphaMap=e[t.alphaMap]||null),t.bumpMap!==void 0&&(this.bumpMap=e[t.bumpMap]||null),t.bumpScale!==void 0&&(this.bumpScale=t.bumpScale),t.normalMap!==void 0&&(this.normalMap=e[t.normalMap]||null),t.normalMapType!==void 0&&(this.normalMapType=t.normalMapType),t.normalScale!==void 0){let n=t.normalScale;Array.isArray(n)===!1&&(n=[n,n]),this.normalScale=new It().fromArray(n)}return t.displacementMap!==void 0&&(this.displacementMap=e[t.displacementMap]||null),t.displacementScale!==void 0&&(this.displacementScale=t.displacementScale),t.displacementBias!==void 0&&(this.displacementBias=t.displacementBias),t.roughnessMap!==void 0&&(this.roughnessMap=e[t.roughnessMap]||null),t.metalnessMap!==void 0&&(this.metalnessMap=e[t.metalnessMap]||null),t.emissiveMap!==void 0&&(this.emissiveMap=e[t.emissiveMap]||null),t.emissiveIntensity!==void 0&&(this.emissiveIntensity=t.emissiveIntensity),t.specularMap!==void 0&&(this.specularMap=e[t.specularMap]||null),t.specularIntensityMap!==void 0&&(this.specularIntensityMap=e[t.specularIntensityMap]||null),t.specularColorMap!==void 0&&(this.specularColorMap=e[t.specularColorMap]||null),t.envMap!==void 0&&(this.envMap=e[t.envMap]||null),t.envMapRotation!==void 0&&this.envMapRotation.fromArray(t.envMapRotation),t.envMapIntensity!==void 0&&(this.envMapIntensity=t.envMapIntensity),t.reflectivity!==void 0&&(this.reflectivity=t.reflectivity),t.refractionRatio!==void 0&&(this.refractionRatio=t.refractionRatio),t.lightMap!==void 0&&(this.lightMap=e[t.lightMap]||null),t.lightMapIntensity!==void 0&&(this.lightMapIntensity=t.lightMapIntensity),t.aoMap!==void 0&&(this.aoMap=e[t.aoMap]||null),t.aoMapIntensity!==void 0&&(this.aoMapIntensity=t.aoMapIntensity),t.gradientMap!==void 0&&(this.gradientMap=e[t.gradientMap]||null),t.clearcoatMap!==void 0&&(this.clearcoatMap=e[t.clearcoatMap]||null),t.clearcoatRoughnessMap!==void 0&&(this.clearcoatRoughnessMap=e[t.clearcoatRoughnessMap]||null),t.clearcoatNormalMap!==void 0&&(this.clearcoatNormalMap=e[t.clearcoatNormalMap]||null),t.clearcoatNormalScale!==void 0&&(this.clearcoatNormalScale=new It().fromArray(t.clearcoatNormalScale)),t.diffuseRoughnessMap!==void 0&&(this.diffuseRoughnessMap=e[t.diffuseRoughnessMap]||null),t.iridescenceMap!==void 0&&(this.iridescenceMap=e[t.iridescenceMap]||null),t.iridescenceThicknessMap!==void 0&&(this.iridescenceThicknessMap=e[t.iridescenceThicknessMap]||null),t.transmissionMap!==void 0&&(this.transmissionMap=e[t.transmissionMap]||null),t.thicknessMap!==void 0&&(this.thicknessMap=e[t.thicknessMap]||null),t.anisotropyMap!==void 0&&(this.anisotropyMap=e[t.anisotropyMap]||null),t.sheenColorMap!==void 0&&(this.sheenColorMap=e[t.sheenColorMap]||null),t.sheenRoughnessMap!==void 0&&(this.sheenRoughnessMap=e[t.sheenRoughnessMap]||null),this}clone(){return new this.constructor().copy(this)}copy(t){this.name=t.name,this.blending=t.blending,this.side=t.side,this.vertexColors=t.vertexColors,this.opacity=t.opacity,this.transparent=t.transparent,this.blendSrc=t.blendSrc,this.blendDst=t.blendDst,this.blendEquation=t.blendEquation,this.blendSrcAlpha=t.blendSrcAlpha,this.blendDstAlpha=t.blendDstAlpha,this.blendEquationAlpha=t.blendEquationAlpha,this.blendColor.copy(t.blendColor),this.blendAlpha=t.blendAlpha,this.depthFunc=t.depthFunc,this.depthTest=t.depthTest,this.depthWrite=t.depthWrite,this.stencilWriteMask=t.stencilWriteMask,this.stencilFunc=t.stencilFunc,this.stencilRef=t.stencilRef,this.stencilFuncMask=t.stencilFuncMask,this.stencilFail=t.stencilFail,this.stencilZFail=t.stencilZFail,this.stencilZPass=t.stencilZPass,this.stencilWrite=t.stencilWrite;let e=t.clippingPlanes,n=null;if(e!==null){let s=e.length;n=new Array(s);for(let r=0;r!==s;++r)n[r]=e[r].clone()}return this.clippingPlanes=n,this.clipIntersection=t.clipIntersection,this.clipShadows=t.clipShadows,this.shadowSide=t.shadowSide,this.colorWrite=t.colorWrite,this.precision=t.precision,this.polygonOffset=t.polygonOffset,this.polygonOffsetFactor=t.polygonOffsetFactor,this.polygonOffsetUnits=t.polygonOffsetUnits,this.dithering=t.dithering,this.alphaTest=t.alphaTest,this.alphaHash=t.alphaHash,this.alphaToCoverage=t.alphaToCoverage,this.premultipliedAlpha=t.premultipliedAlpha,this.forceSinglePass=t.forceSinglePass,this.allowOverride=t.allowOverride,this.visible=t.visible,this.toneMapped=t.toneMapped,this.userData=JSON.parse(JSON.stringify(t.userData)),this}dispose(){this.dispatchEvent({type:"dispose"})}set needsUpdate(t){t===!0&&this.version++}};var bs=new F,Iu=new F,ml=new F,gl=new F,Ys=class{constructor(t=new F,e=new F(0,0,-1)){this.origin=t,this.direction=e}set(t,e){return this.origin.copy(t),this.direction.copy(e),this}copy(t){return this.origin.copy(t.origin),this.direction.copy(t.direction),this}at(t,e){return e.copy(this.origin).addScaledVector(this.direction,t)}lookAt(t){return this.direction.copy(t).sub(this.origin).normalize(),this}recast(t){return this.origin.copy(this.at(t,bs)),this}closestPointToPoint(t,e){e.subVectors(t,this.origin);let n=e.dot(this.direction);return n<0?e.copy(this.origin):e.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(t){return Math.sqrt(this.distanceSqToPoint(t))}distanceSqToPoint(t){let e=bs.subVectors(t,this.origin).dot(this.direction);return e<0?this.origin.distanceToSquared(t):(bs.copy(this.origin).addScaledVector(this.direction,e),bs.distanceToSquared(t))}distanceSqToSegment(t,e,n,s){Iu.copy(t).add(e).multiplyScalar(.5),ml.copy(e).sub(t).normalize(),gl.copy(this.origin).sub(Iu);let r=t.distanceTo(e)*.5,o=-this.direction.dot(ml),a=gl.dot(this.direction),l=-gl.dot(ml),c=gl.lengthSq(),h=Math.abs(1-o*o),u,f,d,p;if(h>0)if(u=o*l-a,f=o*a-l,p=r*h,u>=0)if(f>=-p)if(f<=p){let v=1/h;u*=v,f*=v,d=u*(u+o*f+2*a)+f*(o*u+f+2*l)+c}else f=r,u=Math.max(0,-(o*f+a)),d=-u*u+f*(f+2*l)+c;else f=-r,u=Math.max(0,-(o*f+a)),d=-u*u+f*(f+2*l)+c;else f<=-p?(u=Math.max(0,-(-o*r+a)),f=u>0?-r:Math.min(Math.max(-r,-l),r),d=-u*u+f*(f+2*l)+c):f<=p?(u=0,f=Math.min(Math.max(-r,-l),r),d=f*(f+2*l)+c):(u=Math.max(0,-(o*r+a)),f=u>0?r:Math.min(Math.max(-r,-l),r),d=-u*u+f*(f+2*l)+c);else f=o>0?-r:r,u=Math.max(0,-(o*f+a)),d=-u*u+f*(f+2*l)+c;return n&&n.copy(this.origin).addScaledVector(this.direction,u),s&&s.copy(Iu).addScaledVector(ml,f),d}intersectSphere(t,e){if(t.radius<0)return null;bs.subVectors(t.center,this.origin);let n=bs.dot(this.direction),s=bs.dot(bs)-n*n,r=t.radius*t.radius;if(s>r)return null;let o=Math.sqrt(r-s),a=n-o,l=n+o;return l<0?null:a<0?this.at(l,e):this.at(a,e)}intersectsSphere(t){return t.radius<0?!1:this.distanceSqToPoint(t.center)<=t.radius*t.radius}distanceToPlane(t){let e=t.normal.dot(this.direction);if(e===0)return t.distanceToPoint(this.origin)===0?0:null;let n=-(this.origin.dot(t.normal)+t.constant)/e;return n>=0?n:null}intersectPlane(t,e){let n=this.distanceToPlane(t);return n===null?null:this.at(n,e)}intersectsPlane(t){let e=t.distanceToPoint(this.origin);return e===0||t.normal.dot(this.direction)*e<0}intersectBox(t,e){let n,s,r,o,a,l,c=1/this.direction.x,h=1/this.direction.y,u=1/this.direction.z,f=this.origin;return c>=0?(n=(t.min.x-f.x)*c,s=(t.max.x-f.x)*c):(n=(t.max.x-f.x)*c,s=(t.min.x-f.x)*c),h>=0?(r=(t.min.y-f.y)*h,o=(t.max.y-f.y)*h):(r=(t.max.y-f.y)*h,o=(t.min.y-f.y)*h),n>o||r>s||((r>n||isNaN(n))&&(n=r),(o<s||isNaN(s))&&(s=o),u>=0?(a=(t.min.z-f.z)*u,l=(t.max.z-f.z)*u):(a=(t.max.z-f.z)*u,l=(t.min.z-f.z)*u),n>l||a>s)||((a>n||n!==n)&&(n=a),(l<s||s!==s)&&(s=l),s<0)?null:this.at(n>=0?n:s,e)}intersectsBox(t){return this.intersectBox(t,bs)!==null}intersectTriangle(t,e,n,s,r){let o=this.origin,a=this.direction,l=a.x,c=a.y,h=a.z,u=t.x-o.x,f=t.y-o.y,d=t.z-o.z,p=e.x-o.x,v=e.y-o.y,g=e.z-o.z,m=n.x-o.x,_=n.y-o.y,b=n.z-o.z,M=Math.abs(l),R=Math.abs(c),T=Math.abs(h),x,w,U,P,L,k,H,N,W,Y,V,ct;if(M>=R&&M>=T?(U=l,k=u,W=p,ct=m,l>=0?(x=c,w=h,P=f,L=d,H=v,N=g,Y=_,V=b):(x=h,w=c,P=d,L=f,H=g,N=v,Y=b,V=_)):R>=T?(U=c,k=f,W=v,ct=_,c>=0?(x=h,w=l,P=d,L=u,H=g,N=p,Y=b,V=m):(x=l,w=h,P=u,L=d,H=p,N=g,Y=m,V=b)):(U=h,k=d,W=g,ct=b,h>=0?(x=l,w=c,P=u,L=f,H=p,N=v,Y=m,V=_):(x=c,w=l,P=f,L=u,H=v,N=p,Y=_,V=m)),U===0)return null;let J=x/U,j=w/U,st=1/U,ft=P-J*k,ut=L-j*k,Q=H-J*W,mt=N-j*W,xt=Y-J*ct,At=V-j*ct,St=xt*mt-At*Q,Wt=ft*At-ut*xt,re=Q*ut-mt*ft;if(s){if(St<0||Wt<0||re<0)return null}else if((St<0||Wt<0||re<0)&&(St>0||Wt>0||re>0))return null;let Gt=St+Wt+re;if(Gt===0)return null;let de=st*(St*k+Wt*W+re*ct);return(Gt>0?de<0:de>0)?null:this.at(de/Gt,r)}applyMatrix4(t){return this.origin.applyMatrix4(t),this.direction.transformDirection(t),this}equals(t){return t.origin.equals(this.origin)&&t.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}},Qn=class extends Rs{constructor(t){super(),this.isMeshBasicMaterial=!0,this.type="MeshBasicMaterial",this.color=new ae(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new As,this.combine=Qu,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.fog=t.fog,this}},yp=new ze,hr=new Ys,_l=new fr,vp=new F,xl=new F,yl=new F,vl=new F,Lu=new F,Ml=new F,Mp=new F,Sl=new F,_e=class extends Hn{constructor(t=new ge,e=new Qn){super(),this.isMesh=!0,this.type="Mesh",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}getVertexPosition(t,e){let n=this.geometry,s=n.attributes.position,r=n.morphAttributes.position,o=n.morphTargetsRelative;e.fromBufferAttribute(s,t);let a=this.morphTargetInfluences;if(r&&a){Ml.set(0,0,0);for(let l=0,c=r.length;l<c;l++){let h=a[l],u=r[l];h!==0&&(Lu.fromBufferAttribute(u,t),o?Ml.addScaledVector(Lu,h):Ml.addScaledVector(Lu.sub(e),h))}e.add(Ml)}return e}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let n=this.geometry,s=this.material,r=this.matrixWorld;s!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),_l.copy(n.boundingSphere),_l.applyMatrix4(r),hr.copy(t.ray).recast(t.near),!(_l.containsPoint(hr.origin)===!1&&(hr.intersectSphere(_l,vp)===null||hr.origin.distanceToSquared(vp)>(t.far-t.near)**2))&&(yp.copy(r).invert(),hr.copy(t.ray).applyMatrix4(yp),!(n.boundingBox!==null&&hr.intersectsBox(n.boundingBox)===!1)&&this._computeIntersections(t,e,hr)))}_computeIntersections(t,e,n){let s,r=this.geometry,o=this.material,a=r.index,l=r.attributes.position,c=r.attributes.uv,h=r.attributes.uv1,u=r.attributes.normal,f=r.groups,d=r.drawRange;if(a!==null)if(Array.isArray(o))for(let p=0,v=f.length;p<v;p++){let g=f[p],m=o[g.materialIndex],_=Math.max(g.start,d.start),b=Math.min(a.count,Math.min(g.start+g.count,d.start+d.count));for(let M=_,R=b;M<R;M+=3){let T=a.getX(M),x=a.getX(M+1),w=a.getX(M+2);s=bl(this,m,t,n,c,h,u,T,x,w),s&&(s.faceIndex=Math.floor(M/3),s.face.materialIndex=g.materialIndex,e.push(s))}}else{let p=Math.max(0,d.start),v=Math.min(a.count,d.start+d.count);for(let g=p,m=v;g<m;g+=3){let _=a.getX(g),b=a.getX(g+1),M=a.getX(g+2);s=bl(this,o,t,n,c,h,u,_,b,M),s&&(s.faceIndex=Math.floor(g/3),e.push(s))}}else if(l!==void 0)if(Array.isArray(o))for(let p=0,v=f.length;p<v;p++){let g=f[p],m=o[g.materialIndex],_=Math.max(g.start,d.start),b=Math.min(l.count,Math.min(g.start+g.count,d.start+d.count));for(let M=_,R=b;M<R;M+=3){let T=M,x=M+1,w=M+2;s=bl(this,m,t,n,c,h,u,T,x,w),s&&(s.faceIndex=Math.floor(M/3),s.face.materialIndex=g.materialIndex,e.push(s))}}else{let p=Math.max(0,d.start),v=Math.min(l.count,d.start+d.count);for(let g=p,m=v;g<m;g+=3){let _=g,b=g+1,M=g+2;s=bl(this,o,t,n,c,h,u,_,b,M),s&&(s.faceIndex=Math.floor(g/3),e.push(s))}}}};function rx(i,t,e,n,s,r,o,a){let l;if(t.side===ti?l=n.intersectTriangle(o,r,s,!0,a):l=n.intersectTriangle(s,r,o,t.side===tr,a),l===null)return null;Sl.copy(a),Sl.applyMatrix4(i.matrixWorld);let c=e.ray.origin.distanceTo(Sl);return c<e.near||c>e.far?null:{distance:c,point:Sl.clone(),object:i}}function bl(i,t,e,n,s,r,o,a,l,c){i.getVertexPosition(a,xl),i.getVertexPosition(l,yl),i.getVertexPosition(c,vl);let h=rx(i,t,e,n,xl,yl,vl,Mp);if(h){let u=new F;ws.getBarycoord(Mp,xl,yl,vl,u),s&&(h.uv=ws.getInterpolatedAttribute(s,a,l,c,u,new It)),r&&(h.uv1=ws.getInterpolatedAttribute(r,a,l,c,u,new It)),o&&(h.normal=ws.getInterpolatedAttribute(o,a,l,c,u,new F),h.normal.dot(n.direction)>0&&h.normal.multiplyScalar(-1));let f={a,b:l,c,normal:new F,materialIndex:0};ws.getNormal(xl,yl,vl,f.normal),h.face=f,h.barycoord=u}return h}var Zl=class extends ni{constructor(t=null,e=1,n=1,s,r,o,a,l,c=On,h=On,u,f){super(null,o,a,l,c,h,s,r,u,f),this.isDataTexture=!0,this.image={data:t,width:e,height:n},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}};var ur=new fr,ox=new It(.5,.5),wl=new F,Zs=class{constructor(t=new mi,e=new mi,n=new mi,s=new mi,r=new mi,o=new mi){this.planes=[t,e,n,s,r,o]}set(t,e,n,s,r,o){let a=this.planes;return a[0].copy(t),a[1].copy(e),a[2].copy(n),a[3].copy(s),a[4].copy(r),a[5].copy(o),this}copy(t){let e=this.planes;for(let n=0;n<6;n++)e[n].copy(t.planes[n]);return this}setFromProjectionMatrix(t,e=Ai,n=!1){let s=this.planes,r=t.elements,o=r[0],a=r[1],l=r[2],c=r[3],h=r[4],u=r[5],f=r[6],d=r[7],p=r[8],v=r[9],g=r[10],m=r[11],_=r[12],b=r[13],M=r[14],R=r[15];if(s[0].setComponents(c-o,d-h,m-p,R-_).normalize(),s[1].setComponents(c+o,d+h,m+p,R+_).normalize(),s[2].setComponents(c+a,d+u,m+v,R+b).normalize(),s[3].setComponents(c-a,d-u,m-v,R-b).normalize(),n)s[4].setComponents(l,f,g,M).normalize(),s[5].setComponents(c-l,d-f,m-g,R-M).normalize();else if(s[4].setComponents(c-l,d-f,m-g,R-M).normalize(),e===Ai)s[5].setComponents(c+l,d+f,m+g,R+M).normalize();else if(e===to)s[5].setComponents(l,f,g,M).normalize();else throw new Error("THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: "+e);return this}intersectsObject(t){if(t.boundingSphere!==void 0)t.boundingSphere===null&&t.computeBoundingSphere(),ur.copy(t.boundingSphere).applyMatrix4(t.matrixWorld);else{let e=t.geometry;e.boundingSphere===null&&e.computeBoundingSphere(),ur.copy(e.boundingSphere).applyMatrix4(t.matrixWorld)}return this.intersectsSphere(ur)}intersectsSprite(t){ur.center.set(0,0,0);let e=ox.distanceTo(t.center);return ur.radius=.7071067811865476+e,ur.applyMatrix4(t.matrixWorld),this.intersectsSphere(ur)}intersectsSphere(t){let e=this.planes,n=t.center,s=-t.radius;for(let r=0;r<6;r++)if(e[r].distanceToPoint(n)<s)return!1;return!0}intersectsBox(t){let e=this.planes;for(let n=0;n<6;n++){let s=e[n];if(wl.x=s.normal.x>0?t.max.x:t.min.x,wl.y=s.normal.y>0?t.max.y:t.min.y,wl.z=s.normal.z>0?t.max.z:t.min.z,s.distanceToPoint(wl)<0)return!1}return!0}containsPoint(t){let e=this.planes;for(let n=0;n<6;n++)if(e[n].distanceToPoint(t)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}},Sp=new ze,$l=class i{constructor(){this.coordinateSystem=Ai,this._frustums=[],this._count=0}setFromArrayCamera(t){let e=t.cameras,n=this._frustums;for(let s=0;s<e.length;s++){let r=e[s];Sp.multiplyMatrices(r.projectionMatrix,r.matrixWorldInverse),n[s]===void 0&&(n[s]=new Zs),n[s].setFromProjectionMatrix(Sp,r.coordinateSystem,r.reversedDepth)}return this._count=e.length,this}getFrustum(t){return this._frustums[t]}intersectsObject(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsObject(t))return!0;return!1}intersectsSprite(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsSprite(t))return!0;return!1}intersectsSphere(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsSphere(t))return!0;return!1}intersectsBox(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsBox(t))return!0;return!1}containsPoint(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].containsPoint(t))return!0;return!1}copy(t){this.coordinateSystem=t.coordinateSystem;let e=this._frustums,n=t._frustums;for(let s=0;s<t._count;s++)e[s]===void 0&&(e[s]=new Zs),e[s].copy(n[s]);return this._count=t._count,this}clone(){return new i().copy(this)}};var Bn=class extends Rs{constructor(t){super(),this.isLineBasicMaterial=!0,this.type="LineBasicMaterial",this.color=new ae(16777215),this.map=null,this.linewidth=1,this.linecap="round",this.linejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.linewidth=t.linewidth,this.linecap=t.linecap,this.linejoin=t.linejoin,this.fog=t.fog,this}},Jl=new F,Kl=new F,bp=new ze,Qo=new Ys,El=new fr,Du=new F,wp=new F,Ri=class extends Hn{constructor(t=new ge,e=new Bn){super(),this.isLine=!0,this.type="Line",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,n=[0];for(let s=1,r=e.count;s<r;s++)Jl.fromBufferAttribute(e,s-1),Kl.fromBufferAttribute(e,s),n[s]=n[s-1],n[s]+=Jl.distanceTo(Kl);t.setAttribute("lineDistance",new qt(n,1))}else Zt("Line.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let n=this.geometry,s=this.matrixWorld,r=t.params.Line.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),El.copy(n.boundingSphere),El.applyMatrix4(s),El.radius+=r,t.ray.intersectsSphere(El)===!1)return;bp.copy(s).invert(),Qo.copy(t.ray).applyMatrix4(bp);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=a*a,c=this.isLineSegments?2:1,h=n.index,f=n.attributes.position;if(h!==null){let d=Math.max(0,o.start),p=Math.min(h.count,o.start+o.count);for(let v=d,g=p-1;v<g;v+=c){let m=h.getX(v),_=h.getX(v+1),b=Tl(this,t,Qo,l,m,_,v);b&&e.push(b)}if(this.isLineLoop){let v=h.getX(p-1),g=h.getX(d),m=Tl(this,t,Qo,l,v,g,p-1);m&&e.push(m)}}else{let d=Math.max(0,o.start),p=Math.min(f.count,o.start+o.count);for(let v=d,g=p-1;v<g;v+=c){let m=Tl(this,t,Qo,l,v,v+1,v);m&&e.push(m)}if(this.isLineLoop){let v=Tl(this,t,Qo,l,p-1,d,p-1);v&&e.push(v)}}}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function Tl(i,t,e,n,s,r,o){let a=i.geometry.attributes.position;if(Jl.fromBufferAttribute(a,s),Kl.fromBufferAttribute(a,r),e.distanceSqToSegment(Jl,Kl,Du,wp)>n)return;Du.applyMatrix4(i.matrixWorld);let c=t.ray.origin.distanceTo(Du);if(!(c<t.near||c>t.far))return{distance:c,point:wp.clone().applyMatrix4(i.matrixWorld),index:o,face:null,faceIndex:null,barycoord:null,object:i}}var Ep=new F,Tp=new F,is=class extends Ri{constructor(t,e){super(t,e),this.isLineSegments=!0,this.type="LineSegments"}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,n=[];for(let s=0,r=e.count;s<r;s+=2)Ep.fromBufferAttribute(e,s),Tp.fromBufferAttribute(e,s+1),n[s]=s===0?0:n[s-1],n[s+1]=n[s]+Ep.distanceTo(Tp);t.setAttribute("lineDistance",new qt(n,1))}else Zt("LineSegments.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}};var fa=class extends ni{constructor(t=[],e=_r,n,s,r,o,a,l,c,h){super(t,e,n,s,r,o,a,l,c,h),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(t){this.image=t}};var Cs=class extends ni{constructor(t,e,n=Hi,s,r,o,a=On,l=On,c,h=Ts,u=1){if(h!==Ts&&h!==Is)throw new Error("THREE.DepthTexture: format must be either THREE.DepthFormat or THREE.DepthStencilFormat");let f={width:t,height:e,depth:u};super(f,s,r,o,a,l,h,n,c),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(t){return super.copy(t),this.source=new io(Object.assign({},t.image)),this.compareFunction=t.compareFunction,this}toJSON(t){let e=super.toJSON(t);return e.compareFunction=this.compareFunction,e}},da=class extends Cs{constructor(t,e=Hi,n=_r,s,r,o=On,a=On,l,c=Ts){let h={width:t,height:t,depth:1},u=[h,h,h,h,h,h];super(t,t,e,n,s,r,o,a,l,c),this.image=u,this.isCubeDepthTexture=!0,this.isCubeTexture=!0}get images(){return this.image}set images(t){this.image=t}},pa=class extends ni{constructor(t=null){super(),this.sourceTexture=t,this.isExternalTexture=!0}copy(t){return super.copy(t),this.sourceTexture=t.sourceTexture,this}},zi=class i extends ge{constructor(t=1,e=1,n=1,s=1,r=1,o=1){super(),this.type="BoxGeometry",this.parameters={width:t,height:e,depth:n,widthSegments:s,heightSegments:r,depthSegments:o};let a=this;s=Math.floor(s),r=Math.floor(r),o=Math.floor(o);let l=[],c=[],h=[],u=[],f=0,d=0;p("z","y","x",-1,-1,n,e,t,o,r,0),p("z","y","x",1,-1,n,e,-t,o,r,1),p("x","z","y",1,1,t,n,e,s,o,2),p("x","z","y",1,-1,t,n,-e,s,o,3),p("x","y","z",1,-1,t,e,n,s,r,4),p("x","y","z",-1,-1,t,e,-n,s,r,5),this.setIndex(l),this.setAttribute("position",new qt(c,3)),this.setAttribute("normal",new qt(h,3)),this.setAttribute("uv",new qt(u,2));function p(v,g,m,_,b,M,R,T,x,w,U){let P=M/x,L=R/w,k=M/2,H=R/2,N=T/2,W=x+1,Y=w+1,V=0,ct=0,J=new F;for(let j=0;j<Y;j++){let st=j*L-H;for(let ft=0;ft<W;ft++){let ut=ft*P-k;J[v]=ut*_,J[g]=st*b,J[m]=N,c.push(J.x,J.y,J.z),J[v]=0,J[g]=0,J[m]=T>0?1:-1,h.push(J.x,J.y,J.z),u.push(ft/x),u.push(1-j/w),V+=1}}for(let j=0;j<w;j++)for(let st=0;st<x;st++){let ft=f+st+W*j,ut=f+st+W*(j+1),Q=f+(st+1)+W*(j+1),mt=f+(st+1)+W*j;l.push(ft,ut,mt),l.push(ut,Q,mt),ct+=6}a.addGroup(d,ct,U),d+=ct,f+=V}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.width,t.height,t.depth,t.widthSegments,t.heightSegments,t.depthSegments)}},ma=class i extends ge{constructor(t=1,e=1,n=4,s=8,r=1){super(),this.type="CapsuleGeometry",this.parameters={radius:t,height:e,capSegments:n,radialSegments:s,heightSegments:r},e=Math.max(0,e),n=Math.max(1,Math.floor(n)),s=Math.max(3,Math.floor(s)),r=Math.max(1,Math.floor(r));let o=[],a=[],l=[],c=[],h=e/2,u=Math.PI/2*t,f=e,d=2*u+f,p=n*2+r,v=s+1,g=new F,m=new F;for(let _=0;_<=p;_++){let b=0,M=0,R=0,T=0;if(_<=n){let U=_/n,P=U*Math.PI/2;M=-h-t*Math.cos(P),R=t*Math.sin(P),T=-t*Math.cos(P),b=U*u}else if(_<=n+r){let U=(_-n)/r;M=-h+U*e,R=t,T=0,b=u+U*f}else{let U=(_-n-r)/n,P=U*Math.PI/2;M=h+t*Math.sin(P),R=t*Math.cos(P),T=t*Math.sin(P),b=u+f+U*u}let x=Math.max(0,Math.min(1,b/d)),w=0;_===0?w=.5/s:_===p&&(w=-.5/s);for(let U=0;U<=s;U++){let P=U/s,L=P*Math.PI*2,k=Math.sin(L),H=Math.cos(L);m.x=-R*H,m.y=M,m.z=R*k,a.push(m.x,m.y,m.z),g.set(-R*H,T,R*k),g.normalize(),l.push(g.x,g.y,g.z),c.push(P+w,x)}if(_>0){let U=(_-1)*v;for(let P=0;P<s;P++){let L=U+P,k=U+P+1,H=_*v+P,N=_*v+P+1;o.push(L,k,H),o.push(k,N,H)}}}this.setIndex(o),this.setAttribute("position",new qt(a,3)),this.setAttribute("normal",new qt(l,3)),this.setAttribute("uv",new qt(c,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radius,t.height,t.capSegments,t.radialSegments,t.heightSegments)}};var Ci=class i extends ge{constructor(t=1,e=1,n=1,s=32,r=1,o=!1,a=0,l=Math.PI*2){super(),this.type="CylinderGeometry",this.parameters={radiusTop:t,radiusBottom:e,height:n,radialSegments:s,heightSegments:r,openEnded:o,thetaStart:a,thetaLength:l};let c=this;s=Math.floor(s),r=Math.floor(r);let h=[],u=[],f=[],d=[],p=0,v=[],g=n/2,m=0;_(),o===!1&&(t>0&&b(!0),e>0&&b(!1)),this.setIndex(h),this.setAttribute("position",new qt(u,3)),this.setAttribute("normal",new qt(f,3)),this.setAttribute("uv",new qt(d,2));function _(){let M=new F,R=new F,T=0,x=(e-t)/n;for(let w=0;w<=r;w++){let U=[],P=w/r,L=P*(e-t)+t;for(let k=0;k<=s;k++){let H=k/s,N=H*l+a,W=Math.sin(N),Y=Math.cos(N);R.x=L*W,R.y=-P*n+g,R.z=L*Y,u.push(R.x,R.y,R.z),M.set(W,x,Y).normalize(),f.push(M.x,M.y,M.z),d.push(H,1-P),U.push(p++)}v.push(U)}for(let w=0;w<s;w++)for(let U=0;U<r;U++){let P=v[U][w],L=v[U+1][w],k=v[U+1][w+1],H=v[U][w+1];(t>0||U!==0)&&(h.push(P,L,H),T+=3),(e>0||U!==r-1)&&(h.push(L,k,H),T+=3)}c.addGroup(m,T,0),m+=T}function b(M){let R=p,T=new It,x=new F,w=0,U=M===!0?t:e,P=M===!0?1:-1;for(let k=1;k<=s;k++)u.push(0,g*P,0),f.push(0,P,0),d.push(.5,.5),p++;let L=p;for(let k=0;k<=s;k++){let N=k/s*l+a,W=Math.cos(N),Y=Math.sin(N);x.x=U*Y,x.y=g*P,x.z=U*W,u.push(x.x,x.y,x.z),f.push(0,P,0),T.x=W*.5+.5,T.y=Y*.5*P+.5,d.push(T.x,T.y),p++}for(let k=0;k<s;k++){let H=R+k,N=L+k;M===!0?h.push(N,N+1,H):h.push(N+1,N,H),w+=3}c.addGroup(m,w,M===!0?1:2),m+=w}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radiusTop,t.radiusBottom,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}},dr=class i extends Ci{constructor(t=1,e=1,n=32,s=1,r=!1,o=0,a=Math.PI*2){super(0,t,e,n,s,r,o,a),this.type="ConeGeometry",this.parameters={radius:t,height:e,radialSegments:n,heightSegments:s,openEnded:r,thetaStart:o,thetaLength:a}}static fromJSON(t){return new i(t.radius,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}},jl=class i extends ge{constructor(t=[],e=[],n=1,s=0){super(),this.type="PolyhedronGeometry",this.parameters={vertices:t,indices:e,radius:n,detail:s};let r=[],o=[];a(s),c(n),h(),this.setAttribute("position",new qt(r,3)),this.setAttribute("normal",new qt(r.slice(),3)),this.setAttribute("uv",new qt(o,2)),s===0?this.computeVertexNormals():this.normalizeNormals();function a(_){let b=new F,M=new F,R=new F;for(let T=0;T<e.length;T+=3)d(e[T+0],b),d(e[T+1],M),d(e[T+2],R),l(b,M,R,_)}function l(_,b,M,R){let T=R+1,x=[];for(let w=0;w<=T;w++){x[w]=[];let U=_.clone().lerp(M,w/T),P=b.clone().lerp(M,w/T),L=T-w;for(let k=0;k<=L;k++)k===0&&w===T?x[w][k]=U:x[w][k]=U.clone().lerp(P,k/L)}for(let w=0;w<T;w++)for(let U=0;U<2*(T-w)-1;U++){let P=Math.floor(U/2);U%2===0?(f(x[w][P+1]),f(x[w+1][P]),f(x[w][P])):(f(x[w][P+1]),f(x[w+1][P+1]),f(x[w+1][P]))}}function c(_){let b=new F;for(let M=0;M<r.length;M+=3)b.x=r[M+0],b.y=r[M+1],b.z=r[M+2],b.normalize().multiplyScalar(_),r[M+0]=b.x,r[M+1]=b.y,r[M+2]=b.z}function h(){let _=new F;for(let b=0;b<r.length;b+=3){_.x=r[b+0],_.y=r[b+1],_.z=r[b+2];let M=g(_)/2/Math.PI+.5,R=m(_)/Math.PI+.5;o.push(M,1-R)}p(),u()}function u(){for(let _=0;_<o.length;_+=6){let b=o[_+0],M=o[_+2],R=o[_+4],T=Math.max(b,M,R),x=Math.min(b,M,R);T>.9&&x<.1&&(b<.2&&(o[_+0]+=1),M<.2&&(o[_+2]+=1),R<.2&&(o[_+4]+=1))}}function f(_){r.push(_.x,_.y,_.z)}function d(_,b){let M=_*3;b.x=t[M+0],b.y=t[M+1],b.z=t[M+2]}function p(){let _=new F,b=new F,M=new F,R=new F,T=new It,x=new It,w=new It;for(let U=0,P=0;U<r.length;U+=9,P+=6){_.set(r[U+0],r[U+1],r[U+2]),b.set(r[U+3],r[U+4],r[U+5]),M.set(r[U+6],r[U+7],r[U+8]),T.set(o[P+0],o[P+1]),x.set(o[P+2],o[P+3]),w.set(o[P+4],o[P+5]),R.copy(_).add(b).add(M).divideScalar(3);let L=g(R);v(T,P+0,_,L),v(x,P+2,b,L),v(w,P+4,M,L)}}function v(_,b,M,R){R<0&&_.x===1&&(o[b]=_.x-1),M.x===0&&M.z===0&&(o[b]=R/2/Math.PI+.5)}function g(_){return Math.atan2(_.z,-_.x)}function m(_){return Math.atan2(-_.y,Math.sqrt(_.x*_.x+_.z*_.z))}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.vertices,t.indices,t.radius,t.detail)}};var Al=new F,Rl=new F,Nu=new F,Cl=new ws,oo=class extends ge{constructor(t=null,e=1){if(super(),this.type="EdgesGeometry",this.parameters={geometry:t,thresholdAngle:e},t!==null){let s=Math.pow(10,4),r=Math.cos(Kr*e),o=t.getIndex(),a=t.getAttribute("position"),l=o?o.count:a.count,c=[0,0,0],h=["a","b","c"],u=new Array(3),f=new Map,d=[];for(let p=0;p<l;p+=3){o?(c[0]=o.getX(p),c[1]=o.getX(p+1),c[2]=o.getX(p+2)):(c[0]=p,c[1]=p+1,c[2]=p+2);let{a:v,b:g,c:m}=Cl;if(v.fromBufferAttribute(a,c[0]),g.fromBufferAttribute(a,c[1]),m.fromBufferAttribute(a,c[2]),Cl.getNormal(Nu),u[0]=`${Math.round(v.x*s)},${Math.round(v.y*s)},${Math.round(v.z*s)}`,u[1]=`${Math.round(g.x*s)},${Math.round(g.y*s)},${Math.round(g.z*s)}`,u[2]=`${Math.round(m.x*s)},${Math.round(m.y*s)},${Math.round(m.z*s)}`,!(u[0]===u[1]||u[1]===u[2]||u[2]===u[0]))for(let _=0;_<3;_++){let b=(_+1)%3,M=u[_],R=u[b],T=Cl[h[_]],x=Cl[h[b]],w=`${M}_${R}`,U=`${R}_${M}`,P=f.get(U);P?(Nu.dot(P.normal)<=r&&(d.push(T.x,T.y,T.z),d.push(x.x,x.y,x.z)),f.set(U,null)):f.has(w)||f.set(w,{index0:c[_],index1:c[b],normal:Nu.clone()})}}for(let p of f.values())if(p){let{index0:v,index1:g}=p;Al.fromBufferAttribute(a,v),Rl.fromBufferAttribute(a,g),d.push(Al.x,Al.y,Al.z),d.push(Rl.x,Rl.y,Rl.z)}this.setAttribute("position",new qt(d,3))}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}},si=class{constructor(){this.type="Curve",this.arcLengthDivisions=200,this.needsUpdate=!1,this.cacheArcLengths=null}getPoint(){Zt("Curve: .getPoint() not implemented.")}getPointAt(t,e){let n=this.getUtoTmapping(t);return this.getPoint(n,e)}getPoints(t=5){let e=[];for(let n=0;n<=t;n++)e.push(this.getPoint(n/t));return e}getSpacedPoints(t=5){let e=[];for(let n=0;n<=t;n++)e.push(this.getPointAt(n/t));return e}getLength(){let t=this.getLengths();return t[t.length-1]}getLengths(t=this.arcLengthDivisions){if(this.cacheArcLengths&&this.cacheArcLengths.length===t+1&&!this.needsUpdate)return this.cacheArcLengths;this.needsUpdate=!1;let e=[],n,s=this.getPoint(0),r=0;e.push(0);for(let o=1;o<=t;o++)n=this.getPoint(o/t),r+=n.distanceTo(s),e.push(r),s=n;return this.cacheArcLengths=e,e}updateArcLengths(){this.needsUpdate=!0,this.getLengths()}getUtoTmapping(t,e=null){let n=this.getLengths(),s=0,r=n.length,o;e?o=e:o=t*n[r-1];let a=0,l=r-1,c;for(;a<=l;)if(s=Math.floor(a+(l-a)/2),c=n[s]-o,c<0)a=s+1;else if(c>0)l=s-1;else{l=s;break}if(s=l,n[s]===o)return s/(r-1);let h=n[s],f=n[s+1]-h,d=(o-h)/f;return(s+d)/(r-1)}getTangent(t,e){let s=t-1e-4,r=t+1e-4;s<0&&(s=0),r>1&&(r=1);let o=this.getPoint(s),a=this.getPoint(r),l=e||(o.isVector2?new It:new F);return l.copy(a).sub(o).normalize(),l}getTangentAt(t,e){let n=this.getUtoTmapping(t);return this.getTangent(n,e)}computeFrenetFrames(t,e=!1){let n=new F,s=[],r=[],o=[],a=new F,l=new ze;for(let d=0;d<=t;d++){let p=d/t;s[d]=this.getTangentAt(p,new F)}r[0]=new F,o[0]=new F;let c=Number.MAX_VALUE,h=Math.abs(s[0].x),u=Math.abs(s[0].y),f=Math.abs(s[0].z);h<=c&&(c=h,n.set(1,0,0)),u<=c&&(c=u,n.set(0,1,0)),f<=c&&n.set(0,0,1),a.crossVectors(s[0],n).normalize(),r[0].crossVectors(s[0],a),o[0].crossVectors(s[0],r[0]);for(let d=1;d<=t;d++){if(r[d]=r[d-1].clone(),o[d]=o[d-1].clone(),a.crossVectors(s[d-1],s[d]),a.length()>Number.EPSILON){a.normalize();let p=Math.acos(ce(s[d-1].dot(s[d]),-1,1));r[d].applyMatrix4(l.makeRotationAxis(a,p))}o[d].crossVectors(s[d],r[d])}if(e===!0){let d=Math.acos(ce(r[0].dot(r[t]),-1,1));d/=t,s[0].dot(a.crossVectors(r[0],r[t]))>0&&(d=-d);for(let p=1;p<=t;p++)r[p].applyMatrix4(l.makeRotationAxis(s[p],d*p)),o[p].crossVectors(s[p],r[p])}return{tangents:s,normals:r,binormals:o}}clone(){return new this.constructor().copy(this)}copy(t){return this.arcLengthDivisions=t.arcLengthDivisions,this.cacheArcLengths=null,this}toJSON(){let t={metadata:{version:4.7,type:"Curve",generator:"Curve.toJSON"}};return t.arcLengthDivisions=this.arcLengthDivisions,t.type=this.type,t}fromJSON(t){return this.arcLengthDivisions=t.arcLengthDivisions,this.cacheArcLengths=null,this}},ga=class extends si{constructor(t=0,e=0,n=1,s=1,r=0,o=Math.PI*2,a=!1,l=0){super(),this.isEllipseCurve=!0,this.type="EllipseCurve",this.aX=t,this.aY=e,this.xRadius=n,this.yRadius=s,this.aStartAngle=r,this.aEndAngle=o,this.aClockwise=a,this.aRotation=l}getPoint(t,e=new It){let n=e,s=Math.PI*2,r=this.aEndAngle-this.aStartAngle,o=Math.abs(r)<Number.EPSILON;for(;r<0;)r+=s;for(;r>s;)r-=s;r<Number.EPSILON&&(o?r=0:r=s),this.aClockwise===!0&&!o&&(r===s?r=-s:r=r-s);let a=this.aStartAngle+t*r,l=this.aX+this.xRadius*Math.cos(a),c=this.aY+this.yRadius*Math.sin(a);if(this.aRotation!==0){let h=Math.cos(this.aRotation),u=Math.sin(this.aRotation),f=l-this.aX,d=c-this.aY;l=f*h-d*u+this.aX,c=f*u+d*h+this.aY}return n.set(l,c)}copy(t){return super.copy(t),this.aX=t.aX,this.aY=t.aY,this.xRadius=t.xRadius,this.yRadius=t.yRadius,this.aStartAngle=t.aStartAngle,this.aEndAngle=t.aEndAngle,this.aClockwise=t.aClockwise,this.aRotation=t.aRotation,this}toJSON(){let t=super.toJSON();return t.aX=this.aX,t.aY=this.aY,t.xRadius=this.xRadius,t.yRadius=this.yRadius,t.aStartAngle=this.aStartAngle,t.aEndAngle=this.aEndAngle,t.aClockwise=this.aClockwise,t.aRotation=this.aRotation,t}fromJSON(t){return super.fromJSON(t),this.aX=t.aX,this.aY=t.aY,this.xRadius=t.xRadius,this.yRadius=t.yRadius,this.aStartAngle=t.aStartAngle,this.aEndAngle=t.aEndAngle,this.aClockwise=t.aClockwise,this.aRotation=t.aRotation,this}},Ql=class extends ga{constructor(t,e,n,s,r,o){super(t,e,n,n,s,r,o),this.isArcCurve=!0,this.type="ArcCurve"}};function Ef(){let i=0,t=0,e=0,n=0;function s(r,o,a,l){i=r,t=a,e=-3*r+3*o-2*a-l,n=2*r-2*o+a+l}return{initCatmullRom:function(r,o,a,l,c){s(o,a,c*(a-r),c*(l-o))},initNonuniformCatmullRom:function(r,o,a,l,c,h,u){let f=(o-r)/c-(a-r)/(c+h)+(a-o)/h,d=(a-o)/h-(l-o)/(h+u)+(l-a)/u;f*=h,d*=h,s(o,a,f,d)},calc:function(r){let o=r*r,a=o*r;return i+t*r+e*o+n*a}}}var Ap=new F,Rp=new F,Uu=new Ef,Fu=new Ef,Ou=new Ef,tc=class extends si{constructor(t=[],e=!1,n="centripetal",s=.5){super(),this.isCatmullRomCurve3=!0,this.type="CatmullRomCurve3",this.points=t,this.closed=e,this.curveType=n,this.tension=s}getPoint(t,e=new F){let n=e,s=this.points,r=s.length,o=(r-(this.closed?0:1))*t,a=Math.floor(o),l=o-a;this.closed?a+=a>0?0:(Math.floor(Math.abs(a)/r)+1)*r:l===0&&a===r-1&&(a=r-2,l=1);let c,h;this.closed||a>0?c=s[(a-1)%r]:(Rp.subVectors(s[0],s[1]).add(s[0]),c=Rp);let u=s[a%r],f=s[(a+1)%r];if(this.closed||a+2<r?h=s[(a+2)%r]:(Ap.subVectors(s[r-1],s[r-2]).add(s[r-1]),h=Ap),this.curveType==="centripetal"||this.curveType==="chordal"){let d=this.curveType==="chordal"?.5:.25,p=Math.pow(c.distanceToSquared(u),d),v=Math.pow(u.distanceToSquared(f),d),g=Math.pow(f.distanceToSquared(h),d);v<1e-4&&(v=1),p<1e-4&&(p=v),g<1e-4&&(g=v),Uu.initNonuniformCatmullRom(c.x,u.x,f.x,h.x,p,v,g),Fu.initNonuniformCatmullRom(c.y,u.y,f.y,h.y,p,v,g),Ou.initNonuniformCatmullRom(c.z,u.z,f.z,h.z,p,v,g)}else this.curveType==="catmullrom"&&(Uu.initCatmullRom(c.x,u.x,f.x,h.x,this.tension),Fu.initCatmullRom(c.y,u.y,f.y,h.y,this.tension),Ou.initCatmullRom(c.z,u.z,f.z,h.z,this.tension));return n.set(Uu.calc(l),Fu.calc(l),Ou.calc(l)),n}copy(t){super.copy(t),this.points=[];for(let e=0,n=t.points.length;e<n;e++){let s=t.points[e];this.points.push(s.clone())}return this.closed=t.closed,this.curveType=t.curveType,this.tension=t.tension,this}toJSON(){let t=super.toJSON();t.points=[];for(let e=0,n=this.points.length;e<n;e++){let s=this.points[e];t.points.push(s.toArray())}return t.closed=this.closed,t.curveType=this.curveType,t.tension=this.tension,t}fromJSON(t){super.fromJSON(t),this.points=[];for(let e=0,n=t.points.length;e<n;e++){let s=t.points[e];this.points.push(new F().fromArray(s))}return this.closed=t.closed,this.curveType=t.curveType,this.tension=t.tension,this}};function Cp(i,t,e,n,s){let r=(n-t)*.5,o=(s-e)*.5,a=i*i,l=i*a;return(2*e-2*n+r+o)*l+(-3*e+3*n-2*r-o)*a+r*i+e}function ax(i,t){let e=1-i;return e*e*t}function lx(i,t){return 2*(1-i)*i*t}function cx(i,t){return i*i*t}function na(i,t,e,n){return ax(i,t)+lx(i,e)+cx(i,n)}function hx(i,t){let e=1-i;return e*e*e*t}function ux(i,t){let e=1-i;return 3*e*e*i*t}function fx(i,t){return 3*(1-i)*i*i*t}function dx(i,t){return i*i*i*t}function ia(i,t,e,n,s){return hx(i,t)+ux(i,e)+fx(i,n)+dx(i,s)}var ec=class extends si{constructor(t=new It,e=new It,n=new It,s=new It){super(),this.isCubicBezierCurve=!0,this.type="CubicBezierCurve",this.v0=t,this.v1=e,this.v2=n,this.v3=s}getPoint(t,e=new It){let n=e,s=this.v0,r=this.v1,o=this.v2,a=this.v3;return n.set(ia(t,s.x,r.x,o.x,a.x),ia(t,s.y,r.y,o.y,a.y)),n}copy(t){return super.copy(t),this.v0.copy(t.v0),this.v1.copy(t.v1),this.v2.copy(t.v2),this.v3.copy(t.v3),this}toJSON(){let t=super.toJSON();return t.v0=this.v0.toArray(),t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t.v3=this.v3.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v0.fromArray(t.v0),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this.v3.fromArray(t.v3),this}},nc=class extends si{constructor(t=new F,e=new F,n=new F,s=new F){super(),this.isCubicBezierCurve3=!0,this.type="CubicBezierCurve3",this.v0=t,this.v1=e,this.v2=n,this.v3=s}getPoint(t,e=new F){let n=e,s=this.v0,r=this.v1,o=this.v2,a=this.v3;return n.set(ia(t,s.x,r.x,o.x,a.x),ia(t,s.y,r.y,o.y,a.y),ia(t,s.z,r.z,o.z,a.z)),n}copy(t){return super.copy(t),this.v0.copy(t.v0),this.v1.copy(t.v1),this.v2.copy(t.v2),this.v3.copy(t.v3),this}toJSON(){let t=super.toJSON();return t.v0=this.v0.toArray(),t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t.v3=this.v3.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v0.fromArray(t.v0),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this.v3.fromArray(t.v3),this}},ic=class extends si{constructor(t=new It,e=new It){super(),this.isLineCurve=!0,this.type="LineCurve",this.v1=t,this.v2=e}getPoint(t,e=new It){let n=e;return t===1?n.copy(this.v2):(n.copy(this.v2).sub(this.v1),n.multiplyScalar(t).add(this.v1)),n}getPointAt(t,e){return this.getPoint(t,e)}getTangent(t,e=new It){return e.subVectors(this.v2,this.v1).normalize()}getTangentAt(t,e){return this.getTangent(t,e)}copy(t){return super.copy(t),this.v1.copy(t.v1),this.v2.copy(t.v2),this}toJSON(){let t=super.toJSON();return t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this}},sc=class extends si{constructor(t=new F,e=new F){super(),this.isLineCurve3=!0,this.type="LineCurve3",this.v1=t,this.v2=e}getPoint(t,e=new F){let n=e;return t===1?n.copy(this.v2):(n.copy(this.v2).sub(this.v1),n.multiplyScalar(t).add(this.v1)),n}getPointAt(t,e){return this.getPoint(t,e)}getTangent(t,e=new F){return e.subVectors(this.v2,this.v1).normalize()}getTangentAt(t,e){return this.getTangent(t,e)}copy(t){return super.copy(t),this.v1.copy(t.v1),this.v2.copy(t.v2),this}toJSON(){let t=super.toJSON();return t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this}},rc=class extends si{constructor(t=new It,e=new It,n=new It){super(),this.isQuadraticBezierCurve=!0,this.type="QuadraticBezierCurve",this.v0=t,this.v1=e,this.v2=n}getPoint(t,e=new It){let n=e,s=this.v0,r=this.v1,o=this.v2;return n.set(na(t,s.x,r.x,o.x),na(t,s.y,r.y,o.y)),n}copy(t){return super.copy(t),this.v0.copy(t.v0),this.v1.copy(t.v1),this.v2.copy(t.v2),this}toJSON(){let t=super.toJSON();return t.v0=this.v0.toArray(),t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v0.fromArray(t.v0),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this}},_a=class extends si{constructor(t=new F,e=new F,n=new F){super(),this.isQuadraticBezierCurve3=!0,this.type="QuadraticBezierCurve3",this.v0=t,this.v1=e,this.v2=n}getPoint(t,e=new F){let n=e,s=this.v0,r=this.v1,o=this.v2;return n.set(na(t,s.x,r.x,o.x),na(t,s.y,r.y,o.y),na(t,s.z,r.z,o.z)),n}copy(t){return super.copy(t),this.v0.copy(t.v0),this.v1.copy(t.v1),this.v2.copy(t.v2),this}toJSON(){let t=super.toJSON();return t.v0=this.v0.toArray(),t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v0.fromArray(t.v0),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this}},oc=class extends si{constructor(t=[]){super(),this.isSplineCurve=!0,this.type="SplineCurve",this.points=t}getPoint(t,e=new It){let n=e,s=this.points,r=(s.length-1)*t,o=Math.floor(r),a=r-o,l=s[o===0?o:o-1],c=s[o],h=s[o>s.length-2?s.length-1:o+1],u=s[o>s.length-3?s.length-1:o+2];return n.set(Cp(a,l.x,c.x,h.x,u.x),Cp(a,l.y,c.y,h.y,u.y)),n}copy(t){super.copy(t),this.points=[];for(let e=0,n=t.points.length;e<n;e++){let s=t.points[e];this.points.push(s.clone())}return this}toJSON(){let t=super.toJSON();t.points=[];for(let e=0,n=this.points.length;e<n;e++){let s=this.points[e];t.points.push(s.toArray())}return t}fromJSON(t){super.fromJSON(t),this.points=[];for(let e=0,n=t.points.length;e<n;e++){let s=t.points[e];this.points.push(new It().fromArray(s))}return this}},px=Object.freeze({__proto__:null,ArcCurve:Ql,CatmullRomCurve3:tc,CubicBezierCurve:ec,CubicBezierCurve3:nc,EllipseCurve:ga,LineCurve:ic,LineCurve3:sc,QuadraticBezierCurve:rc,QuadraticBezierCurve3:_a,SplineCurve:oc});var pr=class i extends ge{constructor(t=[new It(0,-.5),new It(.5,0),new It(0,.5)],e=12,n=0,s=Math.PI*2){super(),this.type="LatheGeometry",this.parameters={points:t,segments:e,phiStart:n,phiLength:s},e=Math.floor(e),s=ce(s,0,Math.PI*2);let r=[],o=[],a=[],l=[],c=[],h=1/e,u=new F,f=new It,d=new F,p=new F,v=new F,g=0,m=0;for(let _=0;_<=t.length-1;_++)switch(_){case 0:g=t[_+1].x-t[_].x,m=t[_+1].y-t[_].y,d.x=m*1,d.y=-g,d.z=m*0,v.copy(d),d.normalize(),l.push(d.x,d.y,d.z);break;case t.length-1:v.normalize(),l.push(v.x,v.y,v.z);break;default:g=t[_+1].x-t[_].x,m=t[_+1].y-t[_].y,d.x=m*1,d.y=-g,d.z=m*0,p.copy(d),d.x+=v.x,d.y+=v.y,d.z+=v.z,d.normalize(),l.push(d.x,d.y,d.z),v.copy(p)}for(let _=0;_<=e;_++){let b=n+_*h*s,M=Math.sin(b),R=Math.cos(b);for(let T=0;T<=t.length-1;T++){u.x=t[T].x*M,u.y=t[T].y,u.z=t[T].x*R,o.push(u.x,u.y,u.z),f.x=_/e,f.y=T/(t.length-1),a.push(f.x,f.y);let x=l[3*T+0]*M,w=l[3*T+1],U=l[3*T+0]*R;c.push(x,w,U)}}for(let _=0;_<e;_++)for(let b=0;b<t.length-1;b++){let M=b+_*t.length,R=M,T=M+t.length,x=M+t.length+1,w=M+1;r.push(R,T,w),r.push(x,w,T)}this.setIndex(r),this.setAttribute("position",new qt(o,3)),this.setAttribute("uv",new qt(a,2)),this.setAttribute("normal",new qt(c,3))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.points,t.segments,t.phiStart,t.phiLength)}},xa=class i extends jl{constructor(t=1,e=0){let n=[1,0,0,-1,0,0,0,1,0,0,-1,0,0,0,1,0,0,-1],s=[0,2,4,0,4,3,0,3,5,0,5,2,1,2,5,1,5,3,1,3,4,1,4,2];super(n,s,t,e),this.type="OctahedronGeometry",this.parameters={radius:t,detail:e}}static fromJSON(t){return new i(t.radius,t.detail)}},ya=class i extends ge{constructor(t=1,e=1,n=1,s=1){super(),this.type="PlaneGeometry",this.parameters={width:t,height:e,widthSegments:n,heightSegments:s};let r=t/2,o=e/2,a=Math.floor(n),l=Math.floor(s),c=a+1,h=l+1,u=t/a,f=e/l,d=[],p=[],v=[],g=[];for(let m=0;m<h;m++){let _=m*f-o;for(let b=0;b<c;b++){let M=b*u-r;p.push(M,-_,0),v.push(0,0,1),g.push(b/a),g.push(1-m/l)}}for(let m=0;m<l;m++)for(let _=0;_<a;_++){let b=_+c*m,M=_+c*(m+1),R=_+1+c*(m+1),T=_+1+c*m;d.push(b,M,T),d.push(M,R,T)}this.setIndex(d),this.setAttribute("position",new qt(p,3)),this.setAttribute("normal",new qt(v,3)),this.setAttribute("uv",new qt(g,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.width,t.height,t.widthSegments,t.heightSegments)}};var xi=class i extends ge{constructor(t=1,e=32,n=16,s=0,r=Math.PI*2,o=0,a=Math.PI){super(),this.type="SphereGeometry",this.parameters={radius:t,widthSegments:e,heightSegments:n,phiStart:s,phiLength:r,thetaStart:o,thetaLength:a},e=Math.max(3,Math.floor(e)),n=Math.max(2,Math.floor(n));let l=Math.min(o+a,Math.PI),c=0,h=[],u=new F,f=new F,d=[],p=[],v=[],g=[];for(let m=0;m<=n;m++){let _=[],b=m/n,M=o+b*a,R=t*Math.cos(M),T=Math.sqrt(t*t-R*R),x=0;m===0&&o===0?x=.5/e:m===n&&l===Math.PI&&(x=-.5/e);for(let w=0;w<=e;w++){let U=w/e,P=s+U*r;u.x=-T*Math.cos(P),u.y=R,u.z=T*Math.sin(P),p.push(u.x,u.y,u.z),f.copy(u).normalize(),v.push(f.x,f.y,f.z),g.push(U+x,1-b),_.push(c++)}h.push(_)}for(let m=0;m<n;m++)for(let _=0;_<e;_++){let b=h[m][_+1],M=h[m][_],R=h[m+1][_],T=h[m+1][_+1];(m!==0||o>0)&&d.push(b,M,T),(m!==n-1||l<Math.PI)&&d.push(M,R,T)}this.setIndex(d),this.setAttribute("position",new qt(p,3)),this.setAttribute("normal",new qt(v,3)),this.setAttribute("uv",new qt(g,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radius,t.widthSegments,t.heightSegments,t.phiStart,t.phiLength,t.thetaStart,t.thetaLength)}};var va=class i extends ge{constructor(t=1,e=.4,n=12,s=48,r=Math.PI*2,o=0,a=Math.PI*2){super(),this.type="TorusGeometry",this.parameters={radius:t,tube:e,radialSegments:n,tubularSegments:s,arc:r,thetaStart:o,thetaLength:a},n=Math.floor(n),s=Math.floor(s);let l=[],c=[],h=[],u=[],f=new F,d=new F,p=new F;for(let v=0;v<=n;v++){let g=o+v/n*a;for(let m=0;m<=s;m++){let _=m/s*r;d.x=(t+e*Math.cos(g))*Math.cos(_),d.y=(t+e*Math.cos(g))*Math.sin(_),d.z=e*Math.sin(g),c.push(d.x,d.y,d.z),f.x=t*Math.cos(_),f.y=t*Math.sin(_),p.subVectors(d,f).normalize(),h.push(p.x,p.y,p.z),u.push(m/s),u.push(v/n)}}for(let v=1;v<=n;v++)for(let g=1;g<=s;g++){let m=(s+1)*v+g-1,_=(s+1)*(v-1)+g-1,b=(s+1)*(v-1)+g,M=(s+1)*v+g;l.push(m,_,M),l.push(_,b,M)}this.setIndex(l),this.setAttribute("position",new qt(c,3)),this.setAttribute("normal",new qt(h,3)),this.setAttribute("uv",new qt(u,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radius,t.tube,t.radialSegments,t.tubularSegments,t.arc,t.thetaStart,t.thetaLength)}};var Ma=class i extends ge{constructor(t=new _a(new F(-1,-1,0),new F(-1,1,0),new F(1,1,0)),e=64,n=1,s=8,r=!1){super(),this.type="TubeGeometry",this.parameters={path:t,tubularSegments:e,radius:n,radialSegments:s,closed:r};let o=t.computeFrenetFrames(e,r);this.tangents=o.tangents,this.normals=o.normals,this.binormals=o.binormals;let a=new F,l=new F,c=new It,h=new F,u=[],f=[],d=[],p=[];v(),this.setIndex(p),this.setAttribute("position",new qt(u,3)),this.setAttribute("normal",new qt(f,3)),this.setAttribute("uv",new qt(d,2));function v(){for(let b=0;b<e;b++)g(b);g(r===!1?e:0),_(),m()}function g(b){h=t.getPointAt(b/e,h);let M=o.normals[b],R=o.binormals[b];for(let T=0;T<=s;T++){let x=T/s*Math.PI*2,w=Math.sin(x),U=-Math.cos(x);l.x=U*M.x+w*R.x,l.y=U*M.y+w*R.y,l.z=U*M.z+w*R.z,l.normalize(),f.push(l.x,l.y,l.z),a.x=h.x+n*l.x,a.y=h.y+n*l.y,a.z=h.z+n*l.z,u.push(a.x,a.y,a.z)}}function m(){for(let b=1;b<=e;b++)for(let M=1;M<=s;M++){let R=(s+1)*(b-1)+(M-1),T=(s+1)*b+(M-1),x=(s+1)*b+M,w=(s+1)*(b-1)+M;p.push(R,T,w),p.push(T,x,w)}}function _(){for(let b=0;b<=e;b++)for(let M=0;M<=s;M++)c.x=b/e,c.y=M/s,d.push(c.x,c.y)}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}toJSON(){let t=super.toJSON();return t.path=this.parameters.path.toJSON(),t}static fromJSON(t){return new i(new px[t.path.type]().fromJSON(t.path),t.tubularSegments,t.radius,t.radialSegments,t.closed)}};function yr(i){let t={};for(let e in i){t[e]={};for(let n in i[e]){let s=i[e][n];if(Pp(s))s.isRenderTargetTexture?(Zt("UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms()."),t[e][n]=null):t[e][n]=s.clone();else if(Array.isArray(s))if(Pp(s[0])){let r=[];for(let o=0,a=s.length;o<a;o++)r[o]=s[o].clone();t[e][n]=r}else t[e][n]=s.slice();else t[e][n]=s}}return t}function Xn(i){let t={};for(let e=0;e<i.length;e++){let n=yr(i[e]);for(let s in n)t[s]=n[s]}return t}function Pp(i){return i&&(i.isColor||i.isMatrix3||i.isMatrix4||i.isVector2||i.isVector3||i.isVector4||i.isTexture||i.isQuaternion)}function mx(i){let t=[];for(let e=0;e<i.length;e++)t.push(i[e].clone());return t}function Tf(i){let t=i.getRenderTarget();return t===null?i.outputColorSpace:t.isXRRenderTarget===!0?t.texture.colorSpace:ve.workingColorSpace}var Em={clone:yr,merge:Xn},gx=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,_x=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`,ss=class extends Rs{constructor(t){super(),this.isShaderMaterial=!0,this.type="ShaderMaterial",this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=gx,this.fragmentShader=_x,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,t!==void 0&&this.setValues(t)}copy(t){return super.copy(t),this.fragmentShader=t.fragmentShader,this.vertexShader=t.vertexShader,this.uniforms=yr(t.uniforms),this.uniformsGroups=mx(t.uniformsGroups),this.defines=Object.assign({},t.defines),this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.fog=t.fog,this.lights=t.lights,this.clipping=t.clipping,this.extensions=Object.assign({},t.extensions),this.glslVersion=t.glslVersion,this.defaultAttributeValues=Object.assign({},t.defaultAttributeValues),this.index0AttributeName=t.index0AttributeName,this.uniformsNeedUpdate=t.uniformsNeedUpdate,this}toJSON(t){let e=super.toJSON(t);e.glslVersion=this.glslVersion,e.uniforms={};for(let s in this.uniforms){let o=this.uniforms[s].value;o&&o.isTexture?e.uniforms[s]={type:"t",value:o.toJSON(t).uuid}:o&&o.isColor?e.uniforms[s]={type:"c",value:o.getHex()}:o&&o.isVector2?e.uniforms[s]={type:"v2",value:o.toArray()}:o&&o.isVector3?e.uniforms[s]={type:"v3",value:o.toArray()}:o&&o.isVector4?e.uniforms[s]={type:"v4",value:o.toArray()}:o&&o.isMatrix3?e.uniforms[s]={type:"m3",value:o.toArray()}:o&&o.isMatrix4?e.uniforms[s]={type:"m4",value:o.toArray()}:e.uniforms[s]={value:o}}Object.keys(this.defines).length>0&&(e.defines=this.defines),e.vertexShader=this.vertexShader,e.fragmentShader=this.fragmentShader,e.lights=this.lights,e.clipping=this.clipping;let n={};for(let s in this.extensions)this.extensions[s]===!0&&(n[s]=!0);return Object.keys(n).length>0&&(e.extensions=n),e}fromJSON(t,e){if(super.fromJSON(t,e),t.uniforms!==void 0)for(let n in t.uniforms){let s=t.uniforms[n];switch(this.uniforms[n]={},s.type){case"t":this.uniforms[n].value=e[s.value]||null;break;case"c":this.uniforms[n].value=new ae().setHex(s.value);break;case"v2":this.uniforms[n].value=new It().fromArray(s.value);break;case"v3":this.uniforms[n].value=new F().fromArray(s.value);break;case"v4":this.uniforms[n].value=new tn().fromArray(s.value);break;case"m3":this.uniforms[n].value=new ee().fromArray(s.value);break;case"m4":this.uniforms[n].value=new ze().fromArray(s.value);break;default:this.uniforms[n].value=s.value}}if(t.defines!==void 0&&(this.defines=t.defines),t.vertexShader!==void 0&&(this.vertexShader=t.vertexShader),t.fragmentShader!==void 0&&(this.fragmentShader=t.fragmentShader),t.glslVersion!==void 0&&(this.glslVersion=t.glslVersion),t.extensions!==void 0)for(let n in t.extensions)this.extensions[n]=t.extensions[n];return t.lights!==void 0&&(this.lights=t.lights),t.clipping!==void 0&&(this.clipping=t.clipping),this}},ac=class extends ss{constructor(t){super(t),this.isRawShaderMaterial=!0,this.type="RawShaderMaterial"}},rs=class extends Rs{constructor(t){super(),this.isMeshStandardMaterial=!0,this.type="MeshStandardMaterial",this.defines={STANDARD:""},this.color=new ae(16777215),this.roughness=1,this.metalness=0,this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new ae(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=lh,this.normalScale=new It(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.roughnessMap=null,this.metalnessMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new As,this.envMapIntensity=1,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.flatShading=!1,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.defines={STANDARD:""},this.color.copy(t.color),this.roughness=t.roughness,this.metalness=t.metalness,this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.emissive.copy(t.emissive),this.emissiveMap=t.emissiveMap,this.emissiveIntensity=t.emissiveIntensity,this.bumpMap=t.bumpMap,this.bumpScale=t.bumpScale,this.normalMap=t.normalMap,this.normalMapType=t.normalMapType,this.normalScale.copy(t.normalScale),this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.roughnessMap=t.roughnessMap,this.metalnessMap=t.metalnessMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.envMapIntensity=t.envMapIntensity,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.flatShading=t.flatShading,this.fog=t.fog,this}};var lc=class extends Rs{constructor(t){super(),this.isMeshDepthMaterial=!0,this.type="MeshDepthMaterial",this.depthPacking=cm,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(t)}copy(t){return super.copy(t),this.depthPacking=t.depthPacking,this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this}},cc=class extends Rs{constructor(t){super(),this.isMeshDistanceMaterial=!0,this.type="MeshDistanceMaterial",this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(t)}copy(t){return super.copy(t),this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this}};function Zr(i,t){return!i||i.constructor===t?i:typeof t.BYTES_PER_ELEMENT=="number"?new t(i):Array.prototype.slice.call(i)}function Pl(i){return i!==void 0&&i.inTangents!==void 0&&i.outTangents!==void 0}var $s=class{constructor(t,e,n,s){this.parameterPositions=t,this._cachedIndex=0,this.resultBuffer=s!==void 0?s:new e.constructor(n),this.sampleValues=e,this.valueSize=n,this.settings=null,this.DefaultSettings_={}}evaluate(t){let e=this.parameterPositions,n=this._cachedIndex,s=e[n],r=e[n-1];n:{t:{let o;e:{i:if(!(t<s)){for(let a=n+2;;){if(s===void 0){if(t<r)break i;return n=e.length,this._cachedIndex=n,this.copySampleValue_(n-1)}if(n===a)break;if(r=s,s=e[++n],t<s)break t}o=e.length;break e}if(!(t>=r)){let a=e[1];t<a&&(n=2,r=a);for(let l=n-2;;){if(r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(n===l)break;if(s=r,r=e[--n-1],t>=r)break t}o=n,n=0;break e}break n}for(;n<o;){let a=n+o>>>1;t<e[a]?o=a:n=a+1}if(s=e[n],r=e[n-1],r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(s===void 0)return n=e.length,this._cachedIndex=n,this.copySampleValue_(n-1)}this._cachedIndex=n,this.intervalChanged_(n,r,s)}return this.interpolate_(n,r,t,s)}getSettings_(){return this.settings||this.DefaultSettings_}copySampleValue_(t){let e=this.resultBuffer,n=this.sampleValues,s=this.valueSize,r=t*s;for(let o=0;o!==s;++o)e[o]=n[r+o];return e}interpolate_(){throw new Error("THREE.Interpolant: Call to abstract method.")}intervalChanged_(){}},hc=class extends $s{constructor(t,e,n,s){super(t,e,n,s),this._weightPrev=-0,this._offsetPrev=-0,this._weightNext=-0,this._offsetNext=-0,this.DefaultSettings_={endingStart:zu,endingEnd:zu}}intervalChanged_(t,e,n){let s=this.parameterPositions,r=t-2,o=t+1,a=s[r],l=s[o];if(a===void 0)switch(this.getSettings_().endingStart){case Hu:r=t,a=2*e-n;break;case Gu:r=s.length-2,a=e+s[r]-s[r+1];break;default:r=t,a=n}if(l===void 0)switch(this.getSettings_().endingEnd){case Hu:o=t,l=2*n-e;break;case Gu:o=1,l=n+s[1]-s[0];break;default:o=t-1,l=e}let c=(n-e)*.5,h=this.valueSize;this._weightPrev=c/(e-a),this._weightNext=c/(l-n),this._offsetPrev=r*h,this._offsetNext=o*h}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=this._offsetPrev,u=this._offsetNext,f=this._weightPrev,d=this._weightNext,p=(n-e)/(s-e),v=p*p,g=v*p,m=-f*g+2*f*v-f*p,_=(1+f)*g+(-1.5-2*f)*v+(-.5+f)*p+1,b=(-1-d)*g+(1.5+d)*v+.5*p,M=d*g-d*v;for(let R=0;R!==a;++R)r[R]=m*o[h+R]+_*o[c+R]+b*o[l+R]+M*o[u+R];return r}},uc=class extends $s{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=(n-e)/(s-e),u=1-h;for(let f=0;f!==a;++f)r[f]=o[c+f]*u+o[l+f]*h;return r}},fc=class extends $s{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t){return this.copySampleValue_(t-1)}},dc=class extends $s{interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=this.inTangents,u=this.outTangents;if(!h||!u){let p=(n-e)/(s-e),v=1-p;for(let g=0;g!==a;++g)r[g]=o[c+g]*v+o[l+g]*p;return r}let f=a*2,d=t-1;for(let p=0;p!==a;++p){let v=o[c+p],g=o[l+p],m=d*f+p*2,_=u[m],b=u[m+1],M=t*f+p*2,R=h[M],T=h[M+1],x=yx(n,e,_,R,s);r[p]=Tm(x,v,b,T,g)}return r}};function Tm(i,t,e,n,s){let r=1-i;return r*r*r*t+3*r*r*i*e+3*r*i*i*n+i*i*i*s}function xx(i,t,e,n,s){let r=1-i;return 3*r*r*(e-t)+6*r*i*(n-e)+3*i*i*(s-n)}function yx(i,t,e,n,s){let r=(i-t)/(s-t);for(let o=0;o<8;o++){let a=Tm(r,t,e,n,s)-i;if(Math.abs(a)<1e-10)break;let l=xx(r,t,e,n,s);if(Math.abs(l)<1e-10)break;r=Math.max(0,Math.min(1,r-a/l))}return r}var yi=class{constructor(t,e,n,s){if(t===void 0)throw new Error("THREE.KeyframeTrack: track name is undefined");if(e===void 0||e.length===0)throw new Error("THREE.KeyframeTrack: no keyframes in track named "+t);this.name=t,this.times=Zr(e,this.TimeBufferType),this.values=Zr(n,this.ValueBufferType),this.setInterpolation(s||this.DefaultInterpolation)}static toJSON(t){let e=t.constructor,n;if(e.toJSON!==this.toJSON)n=e.toJSON(t);else{n={name:t.name,times:Zr(t.times,Array),values:Zr(t.values,Array)};let s=t.getInterpolation();s!==t.DefaultInterpolation&&(n.interpolation=s),Pl(t.settings)&&(n.settings={inTangents:Zr(t.settings.inTangents,Array),outTangents:Zr(t.settings.outTangents,Array)})}return n.type=t.ValueTypeName,n}InterpolantFactoryMethodDiscrete(t){return new fc(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodLinear(t){return new uc(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodSmooth(t){return new hc(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodBezier(t){let e=new dc(this.times,this.values,this.getValueSize(),t);return this.settings&&(e.inTangents=this.settings.inTangents,e.outTangents=this.settings.outTangents),e}setInterpolation(t){let e;switch(t){case sa:e=this.InterpolantFactoryMethodDiscrete;break;case Wl:e=this.InterpolantFactoryMethodLinear;break;case Dl:e=this.InterpolantFactoryMethodSmooth;break;case ku:e=this.InterpolantFactoryMethodBezier;break}if(e===void 0){let n="unsupported interpolation for "+this.ValueTypeName+" keyframe track named "+this.name;if(this.createInterpolant===void 0)if(t!==this.DefaultInterpolation)this.setInterpolation(this.DefaultInterpolation);else throw new Error(n);return Zt("KeyframeTrack:",n),this}return this.createInterpolant=e,this}getInterpolation(){switch(this.createInterpolant){case this.InterpolantFactoryMethodDiscrete:return sa;case this.InterpolantFactoryMethodLinear:return Wl;case this.InterpolantFactoryMethodSmooth:return Dl;case this.InterpolantFactoryMethodBezier:return ku}}getValueSize(){return this.values.length/this.times.length}shift(t){if(t!==0){let e=this.times;for(let n=0,s=e.length;n!==s;++n)e[n]+=t;Pl(this.settings)&&(Ip(this.settings.inTangents,t),Ip(this.settings.outTangents,t))}return this}scale(t){if(t!==1){let e=this.times;for(let n=0,s=e.length;n!==s;++n)e[n]*=t;Pl(this.settings)&&(Lp(this.settings.inTangents,t),Lp(this.settings.outTangents,t))}return this}trim(t,e){let n=this.times,s=n.length,r=0,o=s-1;for(;r!==s&&n[r]<t;)++r;for(;o!==-1&&n[o]>e;)--o;if(++o,r!==0||o!==s){r>=o&&(o=Math.max(o,1),r=o-1);let a=this.getValueSize();this.times=n.slice(r,o),this.values=this.values.slice(r*a,o*a)}return this}validate(){let t=!0,e=this.getValueSize();e-Math.floor(e)!==0&&(Qt("KeyframeTrack: Invalid value size in track.",this),t=!1);let n=this.times,s=this.values,r=n.length;r===0&&(Qt("KeyframeTrack: Track is empty.",this),t=!1);let o=null;for(let a=0;a!==r;a++){let l=n[a];if(typeof l=="number"&&isNaN(l)){Qt("KeyframeTrack: Time is not a valid number.",this,a,l),t=!1;break}if(o!==null&&o>l){Qt("KeyframeTrack: Out of order keys.",this,a,l,o),t=!1;break}o=l}if(s!==void 0&&A_(s))for(let a=0,l=s.length;a!==l;++a){let c=s[a];if(isNaN(c)){Qt("KeyframeTrack: Value is not a valid number.",this,a,c),t=!1;break}}return t}optimize(){let t=this.times.slice(),e=this.values.slice(),n=this.getValueSize(),s=this.getInterpolation()===Dl,r=t.length-1,o=1;for(let a=1;a<r;++a){let l=!1,c=t[a],h=t[a+1];if(c!==h&&(a!==1||c!==t[0]))if(s)l=!0;else{let u=a*n,f=u-n,d=u+n;for(let p=0;p!==n;++p){let v=e[u+p];if(v!==e[f+p]||v!==e[d+p]){l=!0;break}}}if(l){if(a!==o){t[o]=t[a];let u=a*n,f=o*n;for(let d=0;d!==n;++d)e[f+d]=e[u+d]}++o}}if(r>0){t[o]=t[r];for(let a=r*n,l=o*n,c=0;c!==n;++c)e[l+c]=e[a+c];++o}return o!==t.length?(this.times=t.slice(0,o),this.values=e.slice(0,o*n)):(this.times=t,this.values=e),this}clone(){let t=this.times.slice(),e=this.values.slice(),n=this.constructor,s=new n(this.name,t,e);return s.createInterpolant=this.createInterpolant,Pl(this.settings)&&(s.settings={inTangents:this.settings.inTangents.slice(),outTangents:this.settings.outTangents.slice()}),s}};function Ip(i,t){for(let e=0,n=i.length;e!==n;e+=2)i[e]+=t}function Lp(i,t){for(let e=0,n=i.length;e!==n;e+=2)i[e]*=t}yi.prototype.ValueTypeName="";yi.prototype.TimeBufferType=Float32Array;yi.prototype.ValueBufferType=Float32Array;yi.prototype.DefaultInterpolation=Wl;var Js=class extends yi{constructor(t,e,n){super(t,e,n)}};Js.prototype.ValueTypeName="bool";Js.prototype.ValueBufferType=Array;Js.prototype.DefaultInterpolation=sa;Js.prototype.InterpolantFactoryMethodLinear=void 0;Js.prototype.InterpolantFactoryMethodSmooth=void 0;var pc=class extends yi{constructor(t,e,n,s){super(t,e,n,s)}};pc.prototype.ValueTypeName="color";var mc=class extends yi{constructor(t,e,n,s){super(t,e,n,s)}};mc.prototype.ValueTypeName="number";var gc=class extends $s{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=(n-e)/(s-e),c=t*a;for(let h=c+a;c!==h;c+=4)We.slerpFlat(r,0,o,c-a,o,c,l);return r}},Sa=class extends yi{constructor(t,e,n,s){super(t,e,n,s)}InterpolantFactoryMethodLinear(t){return new gc(this.times,this.values,this.getValueSize(),t)}};Sa.prototype.ValueTypeName="quaternion";Sa.prototype.InterpolantFactoryMethodSmooth=void 0;var Ks=class extends yi{constructor(t,e,n){super(t,e,n)}};Ks.prototype.ValueTypeName="string";Ks.prototype.ValueBufferType=Array;Ks.prototype.DefaultInterpolation=sa;Ks.prototype.InterpolantFactoryMethodLinear=void 0;Ks.prototype.InterpolantFactoryMethodSmooth=void 0;var _c=class extends yi{constructor(t,e,n,s){super(t,e,n,s)}};_c.prototype.ValueTypeName="vector";var xc=class{constructor(t,e,n){let s=this,r=!1,o=0,a=0,l,c=[];this.onStart=void 0,this.onLoad=t,this.onProgress=e,this.onError=n,this._abortController=null,this.itemStart=function(h){a++,r===!1&&s.onStart!==void 0&&s.onStart(h,o,a),r=!0},this.itemEnd=function(h){o++,s.onProgress!==void 0&&s.onProgress(h,o,a),o===a&&(r=!1,s.onLoad!==void 0&&s.onLoad())},this.itemError=function(h){s.onError!==void 0&&s.onError(h)},this.resolveURL=function(h){return h=h.normalize("NFC"),l?l(h):h},this.setURLModifier=function(h){return l=h,this},this.addHandler=function(h,u){return c.push(h,u),this},this.removeHandler=function(h){let u=c.indexOf(h);return u!==-1&&c.splice(u,2),this},this.getHandler=function(h){for(let u=0,f=c.length;u<f;u+=2){let d=c[u],p=c[u+1];if(d.global&&(d.lastIndex=0),d.test(h))return p}return null},this.abort=function(){return this.abortController.abort(),this._abortController=null,this}}get abortController(){return this._abortController||(this._abortController=new AbortController),this._abortController}},Am=new xc,yc=class{constructor(t){this.manager=t!==void 0?t:Am,this.crossOrigin="anonymous",this.withCredentials=!1,this.path="",this.resourcePath="",this.requestHeader={},this.priority="auto",this.cache="default",typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}load(){}loadAsync(t,e){let n=this;return new Promise(function(s,r){n.load(t,s,e,r)})}parse(){}setCrossOrigin(t){return this.crossOrigin=t,this}setWithCredentials(t){return this.withCredentials=t,this}setPath(t){return this.path=t,this}setResourcePath(t){return this.resourcePath=t,this}setRequestHeader(t){return this.requestHeader=t,this}setPriority(t){return this.priority=t,this}setCache(t){return this.cache=t,this}abort(){return this}};yc.DEFAULT_MATERIAL_NAME="__DEFAULT";var ba=class extends Hn{static registerNode(t){this.prototype._lightNode=t}constructor(t,e=1){super(),this.isLight=!0,this.type="Light",this.color=new ae(t),this.intensity=e}copy(t,e){return super.copy(t,e),this.color.copy(t.color),this.intensity=t.intensity,this}toJSON(t){let e=super.toJSON(t);return e.object.color=this.color.getHex(),e.object.intensity=this.intensity,e}},wa=class extends ba{constructor(t,e,n){super(t,n),this.isHemisphereLight=!0,this.type="HemisphereLight",this.position.copy(Hn.DEFAULT_UP),this.updateMatrix(),this.groundColor=new ae(e)}copy(t,e){return super.copy(t,e),this.groundColor.copy(t.groundColor),this}toJSON(t){let e=super.toJSON(t);return e.object.groundColor=this.groundColor.getHex(),e}},Bu=new ze,Dp=new F,Np=new F,vc=class{constructor(t){this.camera=t,this.intensity=1,this.bias=0,this.biasNode=null,this.normalBias=0,this.radius=1,this.blurSamples=8,this.mapSize=new It(512,512),this.mapType=ri,this.map=null,this.mapPass=null,this.matrix=new ze,this.autoUpdate=!0,this.needsUpdate=!1,this._frustum=new Zs,this._frameExtents=new It(1,1),this._viewportCount=1,this._viewports=[new tn(0,0,1,1)]}getViewportCount(){return this._viewportCount}getCamera(){return this.camera}getFrustum(){return this._frustum}updateMatrices(t){let e=this.camera;Dp.setFromMatrixPosition(t.matrixWorld),e.position.copy(Dp),Np.setFromMatrixPosition(t.target.matrixWorld),e.lookAt(Np),e.updateMatrixWorld(),this._updateMatrix(e,this.matrix,this._frustum)}_updateMatrix(t,e,n,s){Bu.multiplyMatrices(t.projectionMatrix,t.matrixWorldInverse),n.setFromProjectionMatrix(Bu,t.coordinateSystem,t.reversedDepth);let r=this._frameExtents,o=s?s.z/r.x:1,a=s?s.w/r.y:1,l=s?s.x/r.x:0,c=s?s.y/r.y:0;t.coordinateSystem===to||t.reversedDepth?e.set(.5*o,0,0,.5*o+l,0,.5*a,0,.5*a+c,0,0,1,0,0,0,0,1):e.set(.5*o,0,0,.5*o+l,0,.5*a,0,.5*a+c,0,0,.5,.5,0,0,0,1),e.multiply(Bu)}getViewport(t){return this._viewports[t]}getFrameExtents(){return this._frameExtents}dispose(){this.map&&this.map.dispose(),this.mapPass&&this.mapPass.dispose()}copy(t){return this.camera=t.camera.clone(),this.intensity=t.intensity,this.bias=t.bias,this.radius=t.radius,this.autoUpdate=t.autoUpdate,this.needsUpdate=t.needsUpdate,this.normalBias=t.normalBias,this.blurSamples=t.blurSamples,this.mapSize.copy(t.mapSize),this.mapType=t.mapType,this.biasNode=t.biasNode,this}clone(){return new this.constructor().copy(this)}toJSON(){let t={};return t.intensity=this.intensity,t.bias=this.bias,t.normalBias=this.normalBias,t.radius=this.radius,t.blurSamples=this.blurSamples,t.mapSize=this.mapSize.toArray(),t.mapType=this.mapType,t.camera=this.camera.toJSON(!1).object,delete t.camera.matrix,t}},Il=new F,Ll=new We,es=new F,Ea=class extends Hn{constructor(){super(),this.isCamera=!0,this.type="Camera",this.matrixWorldInverse=new ze,this.projectionMatrix=new ze,this.projectionMatrixInverse=new ze,this.coordinateSystem=Ai,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(t,e){return super.copy(t,e),this.matrixWorldInverse.copy(t.matrixWorldInverse),this.projectionMatrix.copy(t.projectionMatrix),this.projectionMatrixInverse.copy(t.projectionMatrixInverse),this.coordinateSystem=t.coordinateSystem,this}getWorldDirection(t){return super.getWorldDirection(t).negate()}updateMatrixWorld(t){super.updateMatrixWorld(t),this.matrixWorld.decompose(Il,Ll,es),es.x===1&&es.y===1&&es.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(Il,Ll,es.set(1,1,1)).invert()}updateWorldMatrix(t,e,n=!1){super.updateWorldMatrix(t,e,n),this.matrixWorld.decompose(Il,Ll,es),es.x===1&&es.y===1&&es.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(Il,Ll,es.set(1,1,1)).invert()}clone(){return new this.constructor().copy(this)}},qs=new F,Up=new It,Fp=new It,Kn=class extends Ea{constructor(t=50,e=1,n=.1,s=2e3){super(),this.isPerspectiveCamera=!0,this.type="PerspectiveCamera",this.fov=t,this.zoom=1,this.near=n,this.far=s,this.focus=10,this.aspect=e,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.fov=t.fov,this.zoom=t.zoom,this.near=t.near,this.far=t.far,this.focus=t.focus,this.aspect=t.aspect,this.view=t.view===null?null:Object.assign({},t.view),this.filmGauge=t.filmGauge,this.filmOffset=t.filmOffset,this}setFocalLength(t){let e=.5*this.getFilmHeight()/t;this.fov=no*2*Math.atan(e),this.updateProjectionMatrix()}getFocalLength(){let t=Math.tan(Kr*.5*this.fov);return .5*this.getFilmHeight()/t}getEffectiveFOV(){return no*2*Math.atan(Math.tan(Kr*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(t,e,n){qs.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),e.set(qs.x,qs.y).multiplyScalar(-t/qs.z),qs.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(qs.x,qs.y).multiplyScalar(-t/qs.z)}getViewSize(t,e){return this.getViewBounds(t,Up,Fp),e.subVectors(Fp,Up)}setViewOffset(t,e,n,s,r,o){this.aspect=t/e,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=this.near,e=t*Math.tan(Kr*.5*this.fov)/this.zoom,n=2*e,s=this.aspect*n,r=-.5*s,o=this.view;if(this.view!==null&&this.view.enabled){let l=o.fullWidth,c=o.fullHeight;r+=o.offsetX*s/l,e-=o.offsetY*n/c,s*=o.width/l,n*=o.height/c}let a=this.filmOffset;a!==0&&(r+=t*a/this.getFilmWidth()),this.projectionMatrix.makePerspective(r,r+s,e,e-n,t,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.fov=this.fov,e.object.zoom=this.zoom,e.object.near=this.near,e.object.far=this.far,e.object.focus=this.focus,e.object.aspect=this.aspect,this.view!==null&&(e.object.view=Object.assign({},this.view)),e.object.filmGauge=this.filmGauge,e.object.filmOffset=this.filmOffset,e}};var Ta=class extends Ea{constructor(t=-1,e=1,n=1,s=-1,r=.1,o=2e3){super(),this.isOrthographicCamera=!0,this.type="OrthographicCamera",this.zoom=1,this.view=null,this.left=t,this.right=e,this.top=n,this.bottom=s,this.near=r,this.far=o,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.left=t.left,this.right=t.right,this.top=t.top,this.bottom=t.bottom,this.near=t.near,this.far=t.far,this.zoom=t.zoom,this.view=t.view===null?null:Object.assign({},t.view),this}setViewOffset(t,e,n,s,r,o){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=(this.right-this.left)/(2*this.zoom),e=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,s=(this.top+this.bottom)/2,r=n-t,o=n+t,a=s+e,l=s-e;if(this.view!==null&&this.view.enabled){let c=(this.right-this.left)/this.view.fullWidth/this.zoom,h=(this.top-this.bottom)/this.view.fullHeight/this.zoom;r+=c*this.view.offsetX,o=r+c*this.view.width,a-=h*this.view.offsetY,l=a-h*this.view.height}this.projectionMatrix.makeOrthographic(r,o,a,l,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.zoom=this.zoom,e.object.left=this.left,e.object.right=this.right,e.object.top=this.top,e.object.bottom=this.bottom,e.object.near=this.near,e.object.far=this.far,this.view!==null&&(e.object.view=Object.assign({},this.view)),e}},Vu=class extends vc{constructor(){super(new Ta(-5,5,5,-5,.5,500)),this.isDirectionalLightShadow=!0}},Aa=class extends ba{constructor(t,e){super(t,e),this.isDirectionalLight=!0,this.type="DirectionalLight",this.position.copy(Hn.DEFAULT_UP),this.updateMatrix(),this.target=new Hn,this.shadow=new Vu}dispose(){super.dispose(),this.shadow.dispose()}copy(t){return super.copy(t),this.target=t.target.clone(),this.shadow=t.shadow.clone(),this}toJSON(t){let e=super.toJSON(t);return e.object.shadow=this.shadow.toJSON(),e.object.target=this.target.uuid,e}};var $r=-90,Jr=1,ao=class extends Hn{constructor(t,e,n){super(),this.type="CubeCamera",this.renderTarget=n,this.coordinateSystem=null,this.activeMipmapLevel=0;let s=new Kn($r,Jr,t,e);s.layers=this.layers,this.add(s);let r=new Kn($r,Jr,t,e);r.layers=this.layers,this.add(r);let o=new Kn($r,Jr,t,e);o.layers=this.layers,this.add(o);let a=new Kn($r,Jr,t,e);a.layers=this.layers,this.add(a);let l=new Kn($r,Jr,t,e);l.layers=this.layers,this.add(l);let c=new Kn($r,Jr,t,e);c.layers=this.layers,this.add(c)}updateCoordinateSystem(){let t=this.coordinateSystem,e=this.children.concat(),[n,s,r,o,a,l]=e;for(let c of e)this.remove(c);if(t===Ai)n.up.set(0,1,0),n.lookAt(1,0,0),s.up.set(0,1,0),s.lookAt(-1,0,0),r.up.set(0,0,-1),r.lookAt(0,1,0),o.up.set(0,0,1),o.lookAt(0,-1,0),a.up.set(0,1,0),a.lookAt(0,0,1),l.up.set(0,1,0),l.lookAt(0,0,-1);else if(t===to)n.up.set(0,-1,0),n.lookAt(-1,0,0),s.up.set(0,-1,0),s.lookAt(1,0,0),r.up.set(0,0,1),r.lookAt(0,1,0),o.up.set(0,0,-1),o.lookAt(0,-1,0),a.up.set(0,-1,0),a.lookAt(0,0,1),l.up.set(0,-1,0),l.lookAt(0,0,-1);else throw new Error("THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: "+t);for(let c of e)this.add(c),c.updateMatrixWorld()}update(t,e){this.parent===null&&this.updateMatrixWorld();let{renderTarget:n,activeMipmapLevel:s}=this;this.coordinateSystem!==t.coordinateSystem&&(this.coordinateSystem=t.coordinateSystem,this.updateCoordinateSystem());let[r,o,a,l,c,h]=this.children,u=t.getRenderTarget(),f=t.getActiveCubeFace(),d=t.getActiveMipmapLevel(),p=t.xr.enabled;t.xr.enabled=!1;let v=n.texture.mipmapsAutoUpdate;n.texture.mipmapsAutoUpdate=!1;let g=!1;t.isWebGLRenderer===!0?g=t.state.buffers.depth.getReversed():g=t.reversedDepthBuffer,t.setRenderTarget(n,0,s),g&&t.autoClear===!1&&t.clearDepth(),t.render(e,r),t.setRenderTarget(n,1,s),g&&t.autoClear===!1&&t.clearDepth(),t.render(e,o),t.setRenderTarget(n,2,s),g&&t.autoClear===!1&&t.clearDepth(),t.render(e,a),t.setRenderTarget(n,3,s),g&&t.autoClear===!1&&t.clearDepth(),t.render(e,l),t.setRenderTarget(n,4,s),g&&t.autoClear===!1&&t.clearDepth(),t.render(e,c),n.texture.mipmapsAutoUpdate=v,t.setRenderTarget(n,5,s),g&&t.autoClear===!1&&t.clearDepth(),t.render(e,h),t.setRenderTarget(u,f,d),t.xr.enabled=p,n.texture.needsPMREMUpdate=!0}},Mc=class extends Kn{constructor(t=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=t,this.perCameraFrustumCulled=!1}};var Af="\\[\\]\\.:\\/",vx=new RegExp("["+Af+"]","g"),Rf="[^"+Af+"]",Mx="[^"+Af.replace("\\.","")+"]",Sx=/((?:WC+[\/:])*)/.source.replace("WC",Rf),bx=/(WCOD+)?/.source.replace("WCOD",Mx),wx=/(?:\.(WC+)(?:\[(.+)\])?)?/.source.replace("WC",Rf),Ex=/\.(WC+)(?:\[(.+)\])?/.source.replace("WC",Rf),Tx=new RegExp("^"+Sx+bx+wx+Ex+"$"),Ax=["material","materials","bones","map"],Wu=class{constructor(t,e,n){let s=n||Je.parseTrackName(e);this._targetGroup=t,this._bindings=t.subscribe_(e,s)}getValue(t,e){this.bind();let n=this._targetGroup.nCachedObjects_,s=this._bindings[n];s!==void 0&&s.getValue(t,e)}setValue(t,e){let n=this._bindings;for(let s=this._targetGroup.nCachedObjects_,r=n.length;s!==r;++s)n[s].setValue(t,e)}bind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,n=t.length;e!==n;++e)t[e].bind()}unbind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,n=t.length;e!==n;++e)t[e].unbind()}},Je=class i{constructor(t,e,n){this.path=e,this.parsedPath=n||i.parseTrackName(e),this.node=i.findNode(t,this.parsedPath.nodeName),this.rootNode=t,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}static create(t,e,n){return t&&t.isAnimationObjectGroup?new i.Composite(t,e,n):new i(t,e,n)}static sanitizeNodeName(t){return t.replace(/\s/g,"_").replace(vx,"")}static parseTrackName(t){let e=Tx.exec(t);if(e===null)throw new Error("THREE.PropertyBinding: Cannot parse trackName: "+t);let n={nodeName:e[2],objectName:e[3],objectIndex:e[4],propertyName:e[5],propertyIndex:e[6]},s=n.nodeName&&n.nodeName.lastIndexOf(".");if(s!==void 0&&s!==-1){let r=n.nodeName.substring(s+1);Ax.indexOf(r)!==-1&&(n.nodeName=n.nodeName.substring(0,s),n.objectName=r)}if(n.propertyName===null||n.propertyName.length===0)throw new Error("THREE.PropertyBinding: can not parse propertyName from trackName: "+t);return n}static findNode(t,e){if(e===void 0||e===""||e==="."||e===-1||e===t.name||e===t.uuid)return t;if(t.skeleton){let n=t.skeleton.getBoneByName(e);if(n!==void 0)return n}if(t.children){let n=function(r){for(let o=0;o<r.length;o++){let a=r[o];if(a.name===e||a.uuid===e)return a;let l=n(a.children);if(l)return l}return null},s=n(t.children);if(s)return s}return null}_getValue_unavailable(){}_setValue_unavailable(){}_getValue_direct(t,e){t[e]=this.targetObject[this.propertyName]}_getValue_array(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)t[e++]=n[s]}_getValue_arrayElement(t,e){t[e]=this.resolvedProperty[this.propertyIndex]}_getValue_toArray(t,e){this.resolvedProperty.toArray(t,e)}_setValue_direct(t,e){this.targetObject[this.propertyName]=t[e]}_setValue_direct_setNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.needsUpdate=!0}_setValue_direct_setMatrixWorldNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_array(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++]}_setValue_array_setNeedsUpdate(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++];this.targetObject.needsUpdate=!0}_setValue_array_setMatrixWorldNeedsUpdate(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++];this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_arrayElement(t,e){this.resolvedProperty[this.propertyIndex]=t[e]}_setValue_arrayElement_setNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.needsUpdate=!0}_setValue_arrayElement_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_fromArray(t,e){this.resolvedProperty.fromArray(t,e)}_setValue_fromArray_setNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.needsUpdate=!0}_setValue_fromArray_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.matrixWorldNeedsUpdate=!0}_getValue_unbound(t,e){this.bind(),this.getValue(t,e)}_setValue_unbound(t,e){this.bind(),this.setValue(t,e)}bind(){let t=this.node,e=this.parsedPath,n=e.objectName,s=e.propertyName,r=e.propertyIndex;if(t||(t=i.findNode(this.rootNode,e.nodeName),this.node=t),this.getValue=this._getValue_unavailable,this.setValue=this._setValue_unavailable,!t){Zt("PropertyBinding: No target node found for track: "+this.path+".");return}if(n){let c=e.objectIndex;switch(n){case"materials":if(!t.material){Qt("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.materials){Qt("PropertyBinding: Can not bind to material.materials as node.material does not have a materials array.",this);return}t=t.material.materials;break;case"bones":if(!t.skeleton){Qt("PropertyBinding: Can not bind to bones as node does not have a skeleton.",this);return}t=t.skeleton.bones;for(let h=0;h<t.length;h++)if(t[h].name===c){c=h;break}break;case"map":if("map"in t){t=t.map;break}if(!t.material){Qt("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.map){Qt("PropertyBinding: Can not bind to material.map as node.material does not have a map.",this);return}t=t.material.map;break;default:if(t[n]===void 0){Qt("PropertyBinding: Can not bind to objectName of node undefined.",this);return}t=t[n]}if(c!==void 0){if(t[c]===void 0){Qt("PropertyBinding: Trying to bind to objectIndex of objectName, but is undefined.",this,t);return}t=t[c]}}let o=t[s];if(o===void 0){let c=e.nodeName;Qt("PropertyBinding: Trying to update property for track: "+c+"."+s+" but it wasn't found.",t);return}let a=this.Versioning.None;this.targetObject=t,t.isMaterial===!0?a=this.Versioning.NeedsUpdate:t.isObject3D===!0&&(a=this.Versioning.MatrixWorldNeedsUpdate);let l=this.BindingType.Direct;if(r!==void 0){if(s==="morphTargetInfluences"){if(!t.geometry){Qt("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.",this);return}if(!t.geometry.morphAttributes){Qt("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.morphAttributes.",this);return}t.morphTargetDictionary[r]!==void 0&&(r=t.morphTargetDictionary[r])}l=this.BindingType.ArrayElement,this.resolvedProperty=o,this.propertyIndex=r}else o.fromArray!==void 0&&o.toArray!==void 0?(l=this.BindingType.HasFromToArray,this.resolvedProperty=o):Array.isArray(o)?(l=this.BindingType.EntireArray,this.resolvedProperty=o):this.propertyName=s;this.getValue=this.GetterByBindingType[l],this.setValue=this.SetterByBindingTypeAndVersioning[l][a]}unbind(){this.node=null,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}};Je.Composite=Wu;Je.prototype.BindingType={Direct:0,EntireArray:1,ArrayElement:2,HasFromToArray:3};Je.prototype.Versioning={None:0,NeedsUpdate:1,MatrixWorldNeedsUpdate:2};Je.prototype.GetterByBindingType=[Je.prototype._getValue_direct,Je.prototype._getValue_array,Je.prototype._getValue_arrayElement,Je.prototype._getValue_toArray];Je.prototype.SetterByBindingTypeAndVersioning=[[Je.prototype._setValue_direct,Je.prototype._setValue_direct_setNeedsUpdate,Je.prototype._setValue_direct_setMatrixWorldNeedsUpdate],[Je.prototype._setValue_array,Je.prototype._setValue_array_setNeedsUpdate,Je.prototype._setValue_array_setMatrixWorldNeedsUpdate],[Je.prototype._setValue_arrayElement,Je.prototype._setValue_arrayElement_setNeedsUpdate,Je.prototype._setValue_arrayElement_setMatrixWorldNeedsUpdate],[Je.prototype._setValue_fromArray,Je.prototype._setValue_fromArray_setNeedsUpdate,Je.prototype._setValue_fromArray_setMatrixWorldNeedsUpdate]];var LT=new Float32Array(1);var Op=new ze,Ra=class{constructor(t,e,n=0,s=1/0){this.ray=new Ys(t,e),this.near=n,this.far=s,this.camera=null,this.layers=new so,this.params={Mesh:{},Line:{threshold:1},LOD:{},Points:{threshold:1},Sprite:{}}}set(t,e){this.ray.set(t,e)}setFromCamera(t,e){e.isPerspectiveCamera?(this.ray.origin.setFromMatrixPosition(e.matrixWorld),this.ray.direction.set(t.x,t.y,.5).unproject(e).sub(this.ray.origin).normalize(),this.camera=e):e.isOrthographicCamera?(this.ray.origin.set(t.x,t.y,e.projectionMatrix.elements[14]).unproject(e),this.ray.direction.set(0,0,-1).transformDirection(e.matrixWorld),this.camera=e):Qt("Raycaster: Unsupported camera type: "+e.type)}setFromXRController(t){return Op.identity().extractRotation(t.matrixWorld),this.ray.origin.setFromMatrixPosition(t.matrixWorld),this.ray.direction.set(0,0,-1).applyMatrix4(Op),this}intersectObject(t,e=!0,n=[]){return Xu(t,this,n,e),n.sort(Bp),n}intersectObjects(t,e=!0,n=[]){for(let s=0,r=t.length;s<r;s++)Xu(t[s],this,n,e);return n.sort(Bp),n}};function Bp(i,t){return i.distance-t.distance}function Xu(i,t,e,n){let s=!0;if(i.layers.test(t.layers)&&i.raycast(t,e)===!1&&(s=!1),s===!0&&n===!0){let r=i.children;for(let o=0,a=r.length;o<a;o++)Xu(r[o],t,e,!0)}}var lo=class{constructor(t=1,e=0,n=0){this.radius=t,this.phi=e,this.theta=n}set(t,e,n){return this.radius=t,this.phi=e,this.theta=n,this}copy(t){return this.radius=t.radius,this.phi=t.phi,this.theta=t.theta,this}makeSafe(){return this.phi=ce(this.phi,1e-6,Math.PI-1e-6),this}setFromVector3(t){return this.setFromCartesianCoords(t.x,t.y,t.z)}setFromCartesianCoords(t,e,n){return this.radius=Math.sqrt(t*t+e*e+n*n),this.radius===0?(this.theta=0,this.phi=0):(this.theta=Math.atan2(t,n),this.phi=Math.acos(ce(e/this.radius,-1,1))),this}clone(){return new this.constructor().copy(this)}};var Nf=class Nf{constructor(t,e,n,s){this.elements=[1,0,0,1],t!==void 0&&this.set(t,e,n,s)}identity(){return this.set(1,0,0,1),this}fromArray(t,e=0){for(let n=0;n<4;n++)this.elements[n]=t[n+e];return this}set(t,e,n,s){let r=this.elements;return r[0]=t,r[2]=e,r[1]=n,r[3]=s,this}};Nf.prototype.isMatrix2=!0;var qu=Nf;var co=class extends is{constructor(t=10,e=10,n=4473924,s=8947848){n=new ae(n),s=new ae(s);let r=e/2,o=t/e,a=t/2,l=[],c=[];for(let f=0,d=0,p=-a;f<=e;f++,p+=o){l.push(-a,0,p,a,0,p),l.push(p,0,-a,p,0,a);let v=f===r?n:s;v.toArray(c,d),d+=3,v.toArray(c,d),d+=3,v.toArray(c,d),d+=3,v.toArray(c,d),d+=3}let h=new ge;h.setAttribute("position",new qt(l,3)),h.setAttribute("color",new qt(c,3));let u=new Bn({vertexColors:!0,toneMapped:!1});super(h,u),this.type="GridHelper"}dispose(){super.dispose(),this.geometry.dispose(),this.material.dispose()}};var Ca=class extends ki{constructor(t,e=null){super(),this.object=t,this.domElement=e,this.enabled=!0,this.state=-1,this.keys={},this.mouseButtons={LEFT:null,MIDDLE:null,RIGHT:null},this.touches={ONE:null,TWO:null}}connect(t){this.domElement!==null&&this.disconnect(),this.domElement=t}disconnect(){}dispose(){}update(){}};function Cf(i,t,e,n){let s=Rx(n);switch(e){case df:return i*t;case mf:return i*t/s.components*s.byteLength;case Cc:return i*t/s.components*s.byteLength;case er:return i*t*2/s.components*s.byteLength;case Pc:return i*t*2/s.components*s.byteLength;case pf:return i*t*3/s.components*s.byteLength;case Wi:return i*t*4/s.components*s.byteLength;case Ic:return i*t*4/s.components*s.byteLength;case La:case Da:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case Na:case Ua:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case Dc:case Uc:return Math.max(i,16)*Math.max(t,8)/4;case Lc:case Nc:return Math.max(i,8)*Math.max(t,8)/2;case Fc:case Oc:case kc:case zc:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case Bc:case Fa:case Hc:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case Gc:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case Vc:return Math.floor((i+4)/5)*Math.floor((t+3)/4)*16;case Wc:return Math.floor((i+4)/5)*Math.floor((t+4)/5)*16;case Xc:return Math.floor((i+5)/6)*Math.floor((t+4)/5)*16;case qc:return Math.floor((i+5)/6)*Math.floor((t+5)/6)*16;case Yc:return Math.floor((i+7)/8)*Math.floor((t+4)/5)*16;case Zc:return Math.floor((i+7)/8)*Math.floor((t+5)/6)*16;case $c:return Math.floor((i+7)/8)*Math.floor((t+7)/8)*16;case Jc:return Math.floor((i+9)/10)*Math.floor((t+4)/5)*16;case Kc:return Math.floor((i+9)/10)*Math.floor((t+5)/6)*16;case jc:return Math.floor((i+9)/10)*Math.floor((t+7)/8)*16;case Qc:return Math.floor((i+9)/10)*Math.floor((t+9)/10)*16;case th:return Math.floor((i+11)/12)*Math.floor((t+9)/10)*16;case eh:return Math.floor((i+11)/12)*Math.floor((t+11)/12)*16;case nh:case ih:case sh:return Math.ceil(i/4)*Math.ceil(t/4)*16;case rh:case oh:return Math.ceil(i/4)*Math.ceil(t/4)*8;case Oa:case ah:return Math.ceil(i/4)*Math.ceil(t/4)*16}throw new Error(`Unable to determine texture byte length for ${e} format.`)}function Rx(i){switch(i){case ri:case cf:return{byteLength:1,components:1};case po:case hf:case Vi:return{byteLength:2,components:1};case Ac:case Rc:return{byteLength:2,components:4};case Hi:case Tc:case Gi:return{byteLength:4,components:1};case uf:case ff:return{byteLength:4,components:3}}throw new Error(`THREE.TextureUtils: Unknown texture type ${i}.`)}typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("register",{detail:{revision:"187"}}));typeof window<"u"&&(window.__THREE__?Zt("WARNING: Multiple instances of Three.js being imported."):window.__THREE__="187");function $m(){let i=null,t=!1,e=null,n=null;function s(r,o){n=i.requestAnimationFrame(s),e(r,o)}return{start:function(){t!==!0&&e!==null&&i!==null&&(n=i.requestAnimationFrame(s),t=!0)},stop:function(){i!==null&&i.cancelAnimationFrame(n),t=!1},setAnimationLoop:function(r){e=r},setContext:function(r){i=r}}}function Px(i){let t=new WeakMap;function e(a,l){let c=a.array,h=a.usage,u=c.byteLength,f=i.createBuffer();i.bindBuffer(l,f),i.bufferData(l,c,h),a.onUploadCallback();let d;if(c instanceof Float32Array)d=i.FLOAT;else if(typeof Float16Array<"u"&&c instanceof Float16Array)d=i.HALF_FLOAT;else if(c instanceof Uint16Array)a.isFloat16BufferAttribute?d=i.HALF_FLOAT:d=i.UNSIGNED_SHORT;else if(c instanceof Int16Array)d=i.SHORT;else if(c instanceof Uint32Array)d=i.UNSIGNED_INT;else if(c instanceof Int32Array)d=i.INT;else if(c instanceof Int8Array)d=i.BYTE;else if(c instanceof Uint8Array)d=i.UNSIGNED_BYTE;else if(c instanceof Uint8ClampedArray)d=i.UNSIGNED_BYTE;else throw new Error("THREE.WebGLAttributes: Unsupported buffer data format: "+c);return{buffer:f,type:d,bytesPerElement:c.BYTES_PER_ELEMENT,version:a.version,size:u}}function n(a,l,c){let h=l.array,u=l.updateRanges;if(i.bindBuffer(c,a),u.length===0)i.bufferSubData(c,0,h);else{u.sort((d,p)=>d.start-p.start);let f=0;for(let d=1;d<u.length;d++){let p=u[f],v=u[d];v.start<=p.start+p.count+1?p.count=Math.max(p.count,v.start+v.count-p.start):(++f,u[f]=v)}u.length=f+1;for(let d=0,p=u.length;d<p;d++){let v=u[d];i.bufferSubData(c,v.start*h.BYTES_PER_ELEMENT,h,v.start,v.count)}l.clearUpdateRanges()}l.onUploadCallback()}function s(a){return a.isInterleavedBufferAttribute&&(a=a.data),t.get(a)}function r(a){a.isInterleavedBufferAttribute&&(a=a.data);let l=t.get(a);l&&(i.deleteBuffer(l.buffer),t.delete(a))}function o(a,l){if(a.isInterleavedBufferAttribute&&(a=a.data),a.isGLBufferAttribute){let h=t.get(a);(!h||h.version<a.version)&&t.set(a,{buffer:a.buffer,type:a.type,bytesPerElement:a.elementSize,version:a.version});return}let c=t.get(a);if(c===void 0)t.set(a,e(a,l));else if(c.version<a.version){if(c.size!==a.array.byteLength)throw new Error("THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.");n(c.buffer,a,l),c.version=a.version}}return{get:s,remove:r,update:o}}var Ix=`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,Lx=`#ifdef USE_ALPHAHASH
	const float ALPHA_HASH_SCALE = 0.05;
	float hash2D( vec2 value ) {
		return fract( 1.0e4 * sin( 17.0 * value.x + 0.1 * value.y ) * ( 0.1 + abs( sin( 13.0 * value.y + value.x ) ) ) );
	}
	float hash3D( vec3 value ) {
		return hash2D( vec2( hash2D( value.xy ), value.z ) );
	}
	float getAlphaHashThreshold( vec3 position ) {
		float maxDeriv = max(
			length( dFdx( position.xyz ) ),
			length( dFdy( position.xyz ) )
		);
		float pixScale = 1.0 / ( ALPHA_HASH_SCALE * maxDeriv );
		vec2 pixScales = vec2(
			exp2( floor( log2( pixScale ) ) ),
			exp2( ceil( log2( pixScale ) ) )
		);
		vec2 alpha = vec2(
			hash3D( floor( pixScales.x * position.xyz ) ),
			hash3D( floor( pixScales.y * position.xyz ) )
		);
		float lerpFactor = fract( log2( pixScale ) );
		float x = ( 1.0 - lerpFactor ) * alpha.x + lerpFactor * alpha.y;
		float a = min( lerpFactor, 1.0 - lerpFactor );
		vec3 cases = vec3(
			x * x / ( 2.0 * a * ( 1.0 - a ) ),
			( x - 0.5 * a ) / ( 1.0 - a ),
			1.0 - ( ( 1.0 - x ) * ( 1.0 - x ) / ( 2.0 * a * ( 1.0 - a ) ) )
		);
		float threshold = ( x < ( 1.0 - a ) )
			? ( ( x < a ) ? cases.x : cases.y )
			: cases.z;
		return clamp( threshold , 1.0e-6, 1.0 );
	}
#endif`,Dx=`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,Nx=`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,Ux=`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,Fx=`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,Ox=`#ifdef USE_AOMAP
	float ambientOcclusion = ( texture2D( aoMap, vAoMapUv ).r - 1.0 ) * aoMapIntensity + 1.0;
	reflectedLight.indirectDiffuse *= ambientOcclusion;
	#if defined( USE_CLEARCOAT ) 
		clearcoatSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_SHEEN ) 
		sheenSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD )
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		reflectedLight.indirectSpecular *= computeSpecularOcclusion( dotNV, ambientOcclusion, material.roughness );
	#endif
#endif`,Bx=`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,kx=`#ifdef USE_BATCHING
	#if ! defined( GL_ANGLE_multi_draw )
	#define gl_DrawID _gl_DrawID
	uniform int _gl_DrawID;
	#endif
	uniform highp sampler2D batchingTexture;
	uniform highp usampler2D batchingIdTexture;
	mat4 getBatchingMatrix( const in float i ) {
		int size = textureSize( batchingTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( batchingTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( batchingTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( batchingTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( batchingTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
	float getIndirectIndex( const in int i ) {
		int size = textureSize( batchingIdTexture, 0 ).x;
		int x = i % size;
		int y = i / size;
		return float( texelFetch( batchingIdTexture, ivec2( x, y ), 0 ).r );
	}
#endif
#ifdef USE_BATCHING_COLOR
	uniform sampler2D batchingColorTexture;
	vec4 getBatchingColor( const in float i ) {
		int size = textureSize( batchingColorTexture, 0 ).x;
		int j = int( i );
		int x = j % size;
		int y = j / size;
		return texelFetch( batchingColorTexture, ivec2( x, y ), 0 );
	}
#endif`,zx=`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,Hx=`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,Gx=`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,Vx=`float G_BlinnPhong_Implicit( ) {
	return 0.25;
}
float D_BlinnPhong( const in float shininess, const in float dotNH ) {
	return RECIPROCAL_PI * ( shininess * 0.5 + 1.0 ) * pow( dotNH, shininess );
}
vec3 BRDF_BlinnPhong( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 specularColor, const in float shininess ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( specularColor, 1.0, dotVH );
	float G = G_BlinnPhong_Implicit( );
	float D = D_BlinnPhong( shininess, dotNH );
	return F * ( G * D );
} // validated`,Wx=`#ifdef USE_IRIDESCENCE
	const mat3 XYZ_TO_REC709 = mat3(
		 3.2404542, -0.9692660,  0.0556434,
		-1.5371385,  1.8760108, -0.2040259,
		-0.4985314,  0.0415560,  1.0572252
	);
	vec3 Fresnel0ToIor( vec3 fresnel0 ) {
		vec3 sqrtF0 = sqrt( fresnel0 );
		return ( vec3( 1.0 ) + sqrtF0 ) / ( vec3( 1.0 ) - sqrtF0 );
	}
	vec3 IorToFresnel0( vec3 transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - vec3( incidentIor ) ) / ( transmittedIor + vec3( incidentIor ) ) );
	}
	float IorToFresnel0( float transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - incidentIor ) / ( transmittedIor + incidentIor ));
	}
	vec3 evalSensitivity( float OPD, vec3 shift ) {
		float phase = 2.0 * PI * OPD * 1.0e-9;
		vec3 val = vec3( 5.4856e-13, 4.4201e-13, 5.2481e-13 );
		vec3 pos = vec3( 1.6810e+06, 1.7953e+06, 2.2084e+06 );
		vec3 var = vec3( 4.3278e+09, 9.3046e+09, 6.6121e+09 );
		vec3 xyz = val * sqrt( 2.0 * PI * var ) * cos( pos * phase + shift ) * exp( - pow2( phase ) * var );
		xyz.x += 9.7470e-14 * sqrt( 2.0 * PI * 4.5282e+09 ) * cos( 2.2399e+06 * phase + shift[ 0 ] ) * exp( - 4.5282e+09 * pow2( phase ) );
		xyz /= 1.0685e-7;
		vec3 rgb = XYZ_TO_REC709 * xyz;
		return rgb;
	}
	vec3 evalIridescence( float outsideIOR, float eta2, float cosTheta1, float thinFilmThickness, vec3 baseF0 ) {
		vec3 I;
		float iridescenceIOR = mix( outsideIOR, eta2, smoothstep( 0.0, 0.03, thinFilmThickness ) );
		float sinTheta2Sq = pow2( outsideIOR / iridescenceIOR ) * ( 1.0 - pow2( cosTheta1 ) );
		float cosTheta2Sq = 1.0 - sinTheta2Sq;
		if ( cosTheta2Sq < 0.0 ) {
			return vec3( 1.0 );
		}
		float cosTheta2 = sqrt( cosTheta2Sq );
		float R0 = IorToFresnel0( iridescenceIOR, outsideIOR );
		float R12 = F_Schlick( R0, 1.0, cosTheta1 );
		float T121 = 1.0 - R12;
		float phi12 = 0.0;
		if ( iridescenceIOR < outsideIOR ) phi12 = PI;
		float phi21 = PI - phi12;
		vec3 baseIOR = Fresnel0ToIor( clamp( baseF0, 0.0, 0.9999 ) );		vec3 R1 = IorToFresnel0( baseIOR, iridescenceIOR );
		vec3 R23 = F_Schlick( R1, 1.0, cosTheta2 );
		vec3 phi23 = vec3( 0.0 );
		if ( baseIOR[ 0 ] < iridescenceIOR ) phi23[ 0 ] = PI;
		if ( baseIOR[ 1 ] < iridescenceIOR ) phi23[ 1 ] = PI;
		if ( baseIOR[ 2 ] < iridescenceIOR ) phi23[ 2 ] = PI;
		float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
		vec3 phi = vec3( phi21 ) + phi23;
		vec3 R123 = clamp( R12 * R23, 1e-5, 0.9999 );
		vec3 r123 = sqrt( R123 );
		vec3 Rs = pow2( T121 ) * R23 / ( vec3( 1.0 ) - R123 );
		vec3 C0 = R12 + Rs;
		I = C0;
		vec3 Cm = Rs - T121;
		for ( int m = 1; m <= 2; ++ m ) {
			Cm *= r123;
			vec3 Sm = 2.0 * evalSensitivity( float( m ) * OPD, float( m ) * phi );
			I += Cm * Sm;
		}
		return max( I, vec3( 0.0 ) );
	}
#endif`,Xx=`#ifdef USE_BUMPMAP
	uniform sampler2D bumpMap;
	uniform float bumpScale;
	vec2 dHdxy_fwd() {
		vec2 dSTdx = dFdx( vBumpMapUv );
		vec2 dSTdy = dFdy( vBumpMapUv );
		float Hll = bumpScale * texture2D( bumpMap, vBumpMapUv ).x;
		float dBx = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdx ).x - Hll;
		float dBy = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdy ).x - Hll;
		return vec2( dBx, dBy );
	}
	vec3 perturbNormalArb( vec3 surf_pos, vec3 surf_norm, vec2 dHdxy, float faceDirection ) {
		vec3 vSigmaX = normalize( dFdx( surf_pos.xyz ) );
		vec3 vSigmaY = normalize( dFdy( surf_pos.xyz ) );
		vec3 vN = surf_norm;
		vec3 R1 = cross( vSigmaY, vN );
		vec3 R2 = cross( vN, vSigmaX );
		float fDet = dot( vSigmaX, R1 ) * faceDirection;
		vec3 vGrad = sign( fDet ) * ( dHdxy.x * R1 + dHdxy.y * R2 );
		return normalize( abs( fDet ) * surf_norm - vGrad );
	}
#endif`,qx=`#if NUM_CLIPPING_PLANES > 0
	vec4 plane;
	#ifdef ALPHA_TO_COVERAGE
		float distanceToPlane, distanceGradient;
		float clipOpacity = 1.0;
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
			distanceGradient = fwidth( distanceToPlane ) / 2.0;
			clipOpacity *= smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			if ( clipOpacity == 0.0 ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			float unionClipOpacity = 1.0;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
				distanceGradient = fwidth( distanceToPlane ) / 2.0;
				unionClipOpacity *= 1.0 - smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			}
			#pragma unroll_loop_end
			clipOpacity *= 1.0 - unionClipOpacity;
		#endif
		diffuseColor.a *= clipOpacity;
		if ( diffuseColor.a == 0.0 ) discard;
	#else
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			if ( dot( vClipPosition, plane.xyz ) > plane.w ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			bool clipped = true;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				clipped = ( dot( vClipPosition, plane.xyz ) > plane.w ) && clipped;
			}
			#pragma unroll_loop_end
			if ( clipped ) discard;
		#endif
	#endif
#endif`,Yx=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,Zx=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,$x=`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,Jx=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#endif`,Kx=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#endif`,jx=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec4 vColor;
#endif`,Qx=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	vColor = vec4( 1.0 );
#endif
#ifdef USE_COLOR_ALPHA
	vColor *= color;
#elif defined( USE_COLOR )
	vColor.rgb *= color;
#endif
#ifdef USE_INSTANCING_COLOR
	vColor.rgb *= instanceColor.rgb;
#endif
#ifdef USE_BATCHING_COLOR
	vColor *= getBatchingColor( getIndirectIndex( gl_DrawID ) );
#endif`,ty=`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2( const in float x ) { return x*x; }
vec3 pow2( const in vec3 x ) { return x*x; }
float pow3( const in float x ) { return x*x*x; }
float pow4( const in float x ) { float x2 = x*x; return x2*x2; }
float max3( const in vec3 v ) { return max( max( v.x, v.y ), v.z ); }
float average( const in vec3 v ) { return dot( v, vec3( 0.3333333 ) ); }
highp float rand( const in vec2 uv ) {
	const highp float a = 12.9898, b = 78.233, c = 43758.5453;
	highp float dt = dot( uv.xy, vec2( a,b ) ), sn = mod( dt, PI );
	return fract( sin( sn ) * c );
}
#ifdef HIGH_PRECISION
	float precisionSafeLength( vec3 v ) { return length( v ); }
#else
	float precisionSafeLength( vec3 v ) {
		float maxComponent = max3( abs( v ) );
		return length( v / maxComponent ) * maxComponent;
	}
#endif
struct IncidentLight {
	vec3 color;
	vec3 direction;
	bool visible;
};
struct ReflectedLight {
	vec3 directDiffuse;
	vec3 directSpecular;
	vec3 indirectDiffuse;
	vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
	varying vec3 vPosition;
#endif
vec3 transformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );
}
#define inverseTransformDirection transformDirectionByInverseViewMatrix
vec3 transformNormalByInverseViewMatrix( in vec3 normal, in mat4 viewMatrix ) {
	return normalize( ( vec4( normal, 0.0 ) * viewMatrix ).xyz );
}
vec3 transformDirectionByInverseViewMatrix( in vec3 dir, in mat4 viewMatrix ) {
	return normalize( ( vec4( dir, 0.0 ) * viewMatrix ).xyz );
}
bool isPerspectiveMatrix( mat4 m ) {
	return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv( in vec3 dir ) {
	float u = atan( dir.z, dir.x ) * RECIPROCAL_PI2 + 0.5;
	float v = asin( clamp( dir.y, - 1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5;
	return vec2( u, v );
}
vec3 BRDF_Lambert( const in vec3 diffuseColor ) {
	return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick( const in vec3 f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
}
float F_Schlick( const in float f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
} // validated`,ey=`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
	vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
	mat3 bm = mat3( batchingMatrix );
	transformedNormal /= vec3( dot( bm[ 0 ], bm[ 0 ] ), dot( bm[ 1 ], bm[ 1 ] ), dot( bm[ 2 ], bm[ 2 ] ) );
	transformedNormal = bm * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = bm * transformedTangent;
	#endif
#endif
#ifdef USE_INSTANCING
	mat3 im = mat3( instanceMatrix );
	transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );
	transformedNormal = im * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = im * transformedTangent;
	#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
	transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
	transformedTangent = ( modelViewMatrix * vec4( transformedTangent, 0.0 ) ).xyz;
#endif`,ny=`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,iy=`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,sy=`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,ry=`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,oy="gl_FragColor = linearToOutputTexel( gl_FragColor );",ay=`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,ly=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vec3 cameraToFrag;
		if ( isOrthographic ) {
			cameraToFrag = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToFrag = normalize( vWorldPosition - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vec3 reflectVec = reflect( cameraToFrag, worldNormal );
		#else
			vec3 reflectVec = refract( cameraToFrag, worldNormal, refractionRatio );
		#endif
	#else
		vec3 reflectVec = vReflect;
	#endif
	#ifdef ENVMAP_TYPE_CUBE
		vec4 envColor = textureCube( envMap, envMapRotation * reflectVec );
		#ifdef ENVMAP_BLENDING_MULTIPLY
			outgoingLight = mix( outgoingLight, outgoingLight * envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_MIX )
			outgoingLight = mix( outgoingLight, envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_ADD )
			outgoingLight += envColor.xyz * specularStrength * reflectivity;
		#endif
	#endif
#endif`,cy=`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform mat3 envMapRotation;
	uniform samplerCube envMap;
	#ifdef ENVMAP_TYPE_PMREM
		float roughnessToMip( const in float roughness ) {
			float r = clamp( roughness, 0.0, 1.0 );
			return ENVMAP_MAX_LOD * r * ( 2.0 - r );
		}
	#endif
#endif`,hy=`#ifdef USE_ENVMAP
	uniform float reflectivity;
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		varying vec3 vWorldPosition;
		uniform float refractionRatio;
	#else
		varying vec3 vReflect;
	#endif
#endif`,uy=`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,fy=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vWorldPosition = worldPosition.xyz;
	#else
		vec3 cameraToVertex;
		if ( isOrthographic ) {
			cameraToVertex = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToVertex = normalize( worldPosition.xyz - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vReflect = reflect( cameraToVertex, worldNormal );
		#else
			vReflect = refract( cameraToVertex, worldNormal, refractionRatio );
		#endif
	#endif
#endif`,dy=`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,py=`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,my=`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,gy=`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,_y=`#ifdef USE_GRADIENTMAP
	uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance( vec3 normal, vec3 lightDirection ) {
	float dotNL = dot( normal, lightDirection );
	vec2 coord = vec2( dotNL * 0.5 + 0.5, 0.0 );
	#ifdef USE_GRADIENTMAP
		return vec3( texture2D( gradientMap, coord ).r );
	#else
		vec2 fw = fwidth( coord ) * 0.5;
		return mix( vec3( 0.7 ), vec3( 1.0 ), smoothstep( 0.7 - fw.x, 0.7 + fw.x, coord.x ) );
	#endif
}`,xy=`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,yy=`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,vy=`varying vec3 vViewPosition;
struct LambertMaterial {
	vec3 diffuseColor;
	float specularStrength;
};
void RE_Direct_Lambert( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Lambert( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,My=`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
	uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt( in vec3 normal, in vec3 shCoefficients[ 9 ] ) {
	float x = normal.x, y = normal.y, z = normal.z;
	vec3 result = shCoefficients[ 0 ] * 0.886227;
	result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
	result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
	result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
	result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
	result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
	result += shCoefficients[ 6 ] * ( 0.743125 * z * z - 0.247708 );
	result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
	result += shCoefficients[ 8 ] * 0.429043 * ( x * x - y * y );
	return result;
}
vec3 getLightProbeIrradiance( const in vec3 lightProbe[ 9 ], const in vec3 normal ) {
	vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec3 irradiance = shGetIrradianceAt( worldNormal, lightProbe );
	return irradiance;
}
vec3 getAmbientLightIrradiance( const in vec3 ambientLightColor ) {
	vec3 irradiance = ambientLightColor;
	return irradiance;
}
float getDistanceAttenuation( const in float lightDistance, const in float cutoffDistance, const in float decayExponent ) {
	float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );
	if ( cutoffDistance > 0.0 ) {
		distanceFalloff *= pow2( saturate( 1.0 - pow4( lightDistance / cutoffDistance ) ) );
	}
	return distanceFalloff;
}
float getSpotAttenuation( const in float coneCosine, const in float penumbraCosine, const in float angleCosine ) {
	return smoothstep( coneCosine, penumbraCosine, angleCosine );
}
#if NUM_SUN_LIGHTS > 0
	struct SunLight {
		vec3 direction;
		vec3 color;
	};
	uniform SunLight sunLights[ NUM_SUN_LIGHTS ];
	void getSunLightInfo( const in SunLight sunLight, out IncidentLight light ) {
		light.color = sunLight.color;
		light.direction = sunLight.direction;
		light.visible = true;
	}
#endif
#if NUM_DIR_LIGHTS > 0
	struct DirectionalLight {
		vec3 direction;
		vec3 color;
	};
	uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
	void getDirectionalLightInfo( const in DirectionalLight directionalLight, out IncidentLight light ) {
		light.color = directionalLight.color;
		light.direction = directionalLight.direction;
		light.visible = true;
	}
#endif
#if NUM_POINT_LIGHTS > 0
	struct PointLight {
		vec3 position;
		vec3 color;
		float distance;
		float decay;
	};
	uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
	void getPointLightInfo( const in PointLight pointLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = pointLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float lightDistance = length( lVector );
		light.color = pointLight.color;
		light.color *= getDistanceAttenuation( lightDistance, pointLight.distance, pointLight.decay );
		light.visible = ( light.color != vec3( 0.0 ) );
	}
#endif
#if NUM_SPOT_LIGHTS > 0
	struct SpotLight {
		vec3 position;
		vec3 direction;
		vec3 color;
		float distance;
		float decay;
		float coneCos;
		float penumbraCos;
	};
	uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
	void getSpotLightInfo( const in SpotLight spotLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = spotLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float angleCos = dot( light.direction, spotLight.direction );
		float spotAttenuation = getSpotAttenuation( spotLight.coneCos, spotLight.penumbraCos, angleCos );
		if ( spotAttenuation > 0.0 ) {
			float lightDistance = length( lVector );
			light.color = spotLight.color * spotAttenuation;
			light.color *= getDistanceAttenuation( lightDistance, spotLight.distance, spotLight.decay );
			light.visible = ( light.color != vec3( 0.0 ) );
		} else {
			light.color = vec3( 0.0 );
			light.visible = false;
		}
	}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
	struct RectAreaLight {
		vec3 color;
		vec3 position;
		vec3 halfWidth;
		vec3 halfHeight;
	};
	uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
	uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
	struct HemisphereLight {
		vec3 direction;
		vec3 skyColor;
		vec3 groundColor;
	};
	uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
	vec3 getHemisphereLightIrradiance( const in HemisphereLight hemiLight, const in vec3 normal ) {
		float dotNL = dot( normal, hemiLight.direction );
		float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
		vec3 irradiance = mix( hemiLight.groundColor, hemiLight.skyColor, hemiDiffuseWeight );
		return irradiance;
	}
#endif
#include <lightprobes_pars_fragment>`,Sy=`#ifdef USE_ENVMAP
	vec3 getIBLIrradiance( const in vec3 normal ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * worldNormal, ENVMAP_MAX_LOD );
			return PI * envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	vec3 getIBLRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 reflectVec = reflect( - viewDir, normal );
			reflectVec = normalize( mix( reflectVec, normal, pow4( roughness ) ) );
			reflectVec = transformDirectionByInverseViewMatrix( reflectVec, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * reflectVec, roughnessToMip( roughness ) );
			return envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	#ifdef USE_RETROREFLECTION
		vec3 getIBLRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 retroVec = normalize( mix( viewDir, normal, pow4( roughness ) ) );
				retroVec = transformDirectionByInverseViewMatrix( retroVec, viewMatrix );
				vec4 envMapColor = textureLod( envMap, envMapRotation * retroVec, roughnessToMip( roughness ) );
				return envMapColor.rgb * envMapIntensity;
			#else
				return vec3( 0.0 );
			#endif
		}
	#endif
	#ifdef USE_ANISOTROPY
		vec3 getIBLAnisotropyRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 bentNormal = cross( bitangent, viewDir );
				bentNormal = normalize( cross( bentNormal, bitangent ) );
				bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
				return getIBLRadiance( viewDir, bentNormal, roughness );
			#else
				return vec3( 0.0 );
			#endif
		}
		#ifdef USE_RETROREFLECTION
			vec3 getIBLAnisotropyRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
				#ifdef ENVMAP_TYPE_PMREM
					vec3 bentNormal = cross( bitangent, viewDir );
					bentNormal = normalize( cross( bentNormal, bitangent ) );
					bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
					return getIBLRetroRadiance( viewDir, bentNormal, roughness );
				#else
					return vec3( 0.0 );
				#endif
			}
		#endif
	#endif
#endif`,by=`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,wy=`varying vec3 vViewPosition;
struct ToonMaterial {
	vec3 diffuseColor;
};
void RE_Direct_Toon( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 irradiance = getGradientIrradiance( geometryNormal, directLight.direction ) * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Toon( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,Ey=`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,Ty=`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
	vec3 diffuseColor;
	vec3 specularColor;
	float specularShininess;
	float specularStrength;
};
void RE_Direct_BlinnPhong( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
	reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,Ay=`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.diffuseContribution = diffuseColor.rgb * ( 1.0 - metalnessFactor );
material.metalness = metalnessFactor;
vec3 dxy = max( abs( dFdx( nonPerturbedNormal ) ), abs( dFdy( nonPerturbedNormal ) ) );
float geometryRoughness = max( max( dxy.x, dxy.y ), dxy.z );
material.roughness = max( roughnessFactor, 0.045 );
material.roughness += geometryRoughness;
material.roughness = min( material.roughness, 1.0 );
#ifdef USE_DIFFUSE_ROUGHNESS
	float diffuseRoughnessFactor = diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		diffuseRoughnessFactor *= texture2D( diffuseRoughnessMap, vDiffuseRoughnessMapUv ).r;
	#endif
	material.diffuseRoughness = saturate( diffuseRoughnessFactor );
#endif
#ifdef IOR
	material.ior = ior;
	#ifdef USE_SPECULAR
		float specularIntensityFactor = specularIntensity;
		vec3 specularColorFactor = specularColor;
		#ifdef USE_SPECULAR_COLORMAP
			specularColorFactor *= texture2D( specularColorMap, vSpecularColorMapUv ).rgb;
		#endif
		#ifdef USE_SPECULAR_INTENSITYMAP
			specularIntensityFactor *= texture2D( specularIntensityMap, vSpecularIntensityMapUv ).a;
		#endif
		material.specularF90 = mix( specularIntensityFactor, 1.0, metalnessFactor );
	#else
		float specularIntensityFactor = 1.0;
		vec3 specularColorFactor = vec3( 1.0 );
		material.specularF90 = 1.0;
	#endif
	material.specularColor = min( pow2( ( material.ior - 1.0 ) / ( material.ior + 1.0 ) ) * specularColorFactor, vec3( 1.0 ) ) * specularIntensityFactor;
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
#else
	material.specularColor = vec3( 0.04 );
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
	material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
	material.clearcoat = clearcoat;
	material.clearcoatRoughness = clearcoatRoughness;
	material.clearcoatF0 = vec3( 0.04 );
	material.clearcoatF90 = 1.0;
	#ifdef USE_CLEARCOATMAP
		material.clearcoat *= texture2D( clearcoatMap, vClearcoatMapUv ).x;
	#endif
	#ifdef USE_CLEARCOAT_ROUGHNESSMAP
		material.clearcoatRoughness *= texture2D( clearcoatRoughnessMap, vClearcoatRoughnessMapUv ).y;
	#endif
	material.clearcoat = saturate( material.clearcoat );	material.clearcoatRoughness = max( material.clearcoatRoughness, 0.045 );
	material.clearcoatRoughness += geometryRoughness;
	material.clearcoatRoughness = min( material.clearcoatRoughness, 1.0 );
#endif
#ifdef USE_DISPERSION
	material.dispersion = dispersion;
#endif
#ifdef USE_RETROREFLECTION
	material.retroreflectivity = retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	material.iridescence = iridescence;
	material.iridescenceIOR = iridescenceIOR;
	#ifdef USE_IRIDESCENCEMAP
		material.iridescence *= texture2D( iridescenceMap, vIridescenceMapUv ).r;
	#endif
	#ifdef USE_IRIDESCENCE_THICKNESSMAP
		material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D( iridescenceThicknessMap, vIridescenceThicknessMapUv ).g + iridescenceThicknessMinimum;
	#else
		material.iridescenceThickness = iridescenceThicknessMaximum;
	#endif
#endif
#ifdef USE_SHEEN
	material.sheenColor = sheenColor;
	#ifdef USE_SHEEN_COLORMAP
		material.sheenColor *= texture2D( sheenColorMap, vSheenColorMapUv ).rgb;
	#endif
	material.sheenRoughness = clamp( sheenRoughness, 0.0001, 1.0 );
	#ifdef USE_SHEEN_ROUGHNESSMAP
		material.sheenRoughness *= texture2D( sheenRoughnessMap, vSheenRoughnessMapUv ).a;
	#endif
#endif
#ifdef USE_ANISOTROPY
	#ifdef USE_ANISOTROPYMAP
		mat2 anisotropyMat = mat2( anisotropyVector.x, anisotropyVector.y, - anisotropyVector.y, anisotropyVector.x );
		vec3 anisotropyPolar = texture2D( anisotropyMap, vAnisotropyMapUv ).rgb;
		vec2 anisotropyV = anisotropyMat * normalize( 2.0 * anisotropyPolar.rg - vec2( 1.0 ) ) * anisotropyPolar.b;
	#else
		vec2 anisotropyV = anisotropyVector;
	#endif
	material.anisotropy = length( anisotropyV );
	if( material.anisotropy == 0.0 ) {
		anisotropyV = vec2( 1.0, 0.0 );
	} else {
		anisotropyV /= material.anisotropy;
		material.anisotropy = saturate( material.anisotropy );
	}
	material.alphaT = mix( pow2( material.roughness ), 1.0, pow2( material.anisotropy ) );
	material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
	material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,Ry=`uniform sampler2D dfgLUT;
struct PhysicalMaterial {
	vec3 diffuseColor;
	vec3 diffuseContribution;
	vec3 specularColor;
	vec3 specularColorBlended;
	float roughness;
	float metalness;
	float specularF90;
	float dispersion;
	vec2 dfg;
	vec3 multiScatteringCompensation;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float diffuseRoughness;
	#endif
	#ifdef USE_RETROREFLECTION
		float retroreflectivity;
	#endif
	#ifdef USE_CLEARCOAT
		float clearcoat;
		float clearcoatRoughness;
		vec3 clearcoatF0;
		float clearcoatF90;
	#endif
	#ifdef USE_IRIDESCENCE
		float iridescence;
		float iridescenceIOR;
		float iridescenceThickness;
		vec3 iridescenceFresnel;
		vec3 iridescenceF0Dielectric;
		vec3 iridescenceF0Metallic;
	#endif
	#ifdef USE_SHEEN
		vec3 sheenColor;
		float sheenRoughness;
	#endif
	#ifdef IOR
		float ior;
	#endif
	#ifdef USE_TRANSMISSION
		float transmission;
		float transmissionAlpha;
		float thickness;
		float attenuationDistance;
		vec3 attenuationColor;
	#endif
	#ifdef USE_ANISOTROPY
		float anisotropy;
		float alphaT;
		vec3 anisotropyT;
		vec3 anisotropyB;
	#endif
};
vec3 clearcoatSpecularDirect = vec3( 0.0 );
vec3 clearcoatSpecularIndirect = vec3( 0.0 );
vec3 sheenSpecularDirect = vec3( 0.0 );
vec3 sheenSpecularIndirect = vec3(0.0 );
vec3 Schlick_to_F0( const in vec3 f, const in float f90, const in float dotVH ) {
    float x = clamp( 1.0 - dotVH, 0.0, 1.0 );
    float x2 = x * x;
    float x5 = clamp( x * x2 * x2, 0.0, 0.9999 );
    return ( f - vec3( f90 ) * x5 ) / ( 1.0 - x5 );
}
#ifdef USE_DIFFUSE_ROUGHNESS
	const float EON_EPSILON = 1e-7;
	float FON_DirectionalAlbedo( const in float mu, const in float roughness, const in float A ) {
		float muComp = 1.0 - mu;
		float gOverPi = muComp * ( 0.0571085289 + muComp * ( 0.491881867 + muComp * ( - 0.332181442 + muComp * 0.0714429953 ) ) );
		return A * ( 1.0 + roughness * gOverPi );
	}
	vec3 BRDF_EON( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 diffuseColor, const in float roughness ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return BRDF_Lambert( rho );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float s = dot( lightDir, viewDir ) - dotNL * dotNV;
		float sOverT = ( s > 0.0 ) ? s / max( max( dotNL, dotNV ), EON_EPSILON ) : s;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		vec3 singleScatter = rho * RECIPROCAL_PI * A * ( 1.0 + roughness * sOverT );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		float albedoV = FON_DirectionalAlbedo( dotNV, roughness, A );
		float albedoL = FON_DirectionalAlbedo( dotNL, roughness, A );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		vec3 multiScatter = rhoMultiScatter * RECIPROCAL_PI
			* max( EON_EPSILON, 1.0 - albedoV )
			* max( EON_EPSILON, 1.0 - albedoL )
			/ max( EON_EPSILON, 1.0 - averageAlbedo );
		return singleScatter + multiScatter;
	}
	vec3 EON_DirectionalAlbedo( const in vec3 diffuseColor, const in float roughness, const in float dotNV ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return rho;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		float directionalAlbedo = FON_DirectionalAlbedo( dotNV, roughness, A );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		return rho * directionalAlbedo + rhoMultiScatter * ( 1.0 - directionalAlbedo );
	}
#endif
float V_GGX_SmithCorrelated( const in float alpha, const in float dotNL, const in float dotNV ) {
	float a2 = pow2( alpha );
	float gv = dotNL * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNV ) );
	float gl = dotNV * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNL ) );
	return 0.5 / max( gv + gl, EPSILON );
}
float D_GGX( const in float alpha, const in float dotNH ) {
	float a2 = pow2( alpha );
	float denom = pow2( dotNH ) * ( a2 - 1.0 ) + 1.0;
	return RECIPROCAL_PI * a2 / pow2( denom );
}
#ifdef USE_ANISOTROPY
	float V_GGX_SmithCorrelated_Anisotropic( const in float alphaT, const in float alphaB, const in float dotTV, const in float dotBV, const in float dotTL, const in float dotBL, const in float dotNV, const in float dotNL ) {
		float gv = dotNL * length( vec3( alphaT * dotTV, alphaB * dotBV, dotNV ) );
		float gl = dotNV * length( vec3( alphaT * dotTL, alphaB * dotBL, dotNL ) );
		return 0.5 / max( gv + gl, EPSILON );
	}
	float D_GGX_Anisotropic( const in float alphaT, const in float alphaB, const in float dotNH, const in float dotTH, const in float dotBH ) {
		float a2 = alphaT * alphaB;
		highp vec3 v = vec3( alphaB * dotTH, alphaT * dotBH, a2 * dotNH );
		highp float v2 = dot( v, v );
		float w2 = a2 / v2;
		return RECIPROCAL_PI * a2 * pow2 ( w2 );
	}
#endif
#ifdef USE_CLEARCOAT
	vec3 BRDF_GGX_Clearcoat( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material) {
		vec3 f0 = material.clearcoatF0;
		float f90 = material.clearcoatF90;
		float roughness = max( material.clearcoatRoughness, 0.045 );
		float alpha = pow2( roughness );
		vec3 halfDir = normalize( lightDir + viewDir );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float dotNH = saturate( dot( normal, halfDir ) );
		float dotVH = saturate( dot( viewDir, halfDir ) );
		vec3 F = F_Schlick( f0, f90, dotVH );
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
		return F * ( V * D );
	}
#endif
vec3 BRDF_GGX( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material ) {
	vec3 f0 = material.specularColorBlended;
	float f90 = material.specularF90;
	float roughness = max( material.roughness, 0.045 );
	float alpha = pow2( roughness );
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( f0, f90, dotVH );
	#ifdef USE_IRIDESCENCE
		F = mix( F, material.iridescenceFresnel, material.iridescence );
	#endif
	#ifdef USE_ANISOTROPY
		float dotTL = dot( material.anisotropyT, lightDir );
		float dotTV = dot( material.anisotropyT, viewDir );
		float dotTH = dot( material.anisotropyT, halfDir );
		float dotBL = dot( material.anisotropyB, lightDir );
		float dotBV = dot( material.anisotropyB, viewDir );
		float dotBH = dot( material.anisotropyB, halfDir );
		float alphaT = max( material.alphaT, alpha );
		float V = V_GGX_SmithCorrelated_Anisotropic( alphaT, alpha, dotTV, dotBV, dotTL, dotBL, dotNV, dotNL );
		float D = D_GGX_Anisotropic( alphaT, alpha, dotNH, dotTH, dotBH );
	#else
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
	#endif
	return F * ( V * D );
}
vec2 LTC_Uv( const in vec3 N, const in vec3 V, const in float roughness ) {
	const float LUT_SIZE = 64.0;
	const float LUT_SCALE = ( LUT_SIZE - 1.0 ) / LUT_SIZE;
	const float LUT_BIAS = 0.5 / LUT_SIZE;
	float dotNV = saturate( dot( N, V ) );
	vec2 uv = vec2( roughness, sqrt( 1.0 - dotNV ) );
	uv = uv * LUT_SCALE + LUT_BIAS;
	return uv;
}
float LTC_ClippedSphereFormFactor( const in vec3 f ) {
	float l = length( f );
	return max( ( l * l + f.z ) / ( l + 1.0 ), 0.0 );
}
vec3 LTC_EdgeVectorFormFactor( const in vec3 v1, const in vec3 v2 ) {
	float x = dot( v1, v2 );
	float y = abs( x );
	float a = 0.8543985 + ( 0.4965155 + 0.0145206 * y ) * y;
	float b = 3.4175940 + ( 4.1616724 + y ) * y;
	float v = a / b;
	float theta_sintheta = ( x > 0.0 ) ? v : 0.5 * inversesqrt( max( 1.0 - x * x, 1e-7 ) ) - v;
	return cross( v1, v2 ) * theta_sintheta;
}
vec3 LTC_Evaluate( const in vec3 N, const in vec3 V, const in vec3 P, const in mat3 mInv, const in vec3 rectCoords[ 4 ] ) {
	vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
	vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
	vec3 lightNormal = cross( v1, v2 );
	if( dot( lightNormal, P - rectCoords[ 0 ] ) < 0.0 ) return vec3( 0.0 );
	vec3 T1, T2;
	T1 = normalize( V - N * dot( V, N ) );
	T2 = - cross( N, T1 );
	mat3 mat = mInv * transpose( mat3( T1, T2, N ) );
	vec3 coords[ 4 ];
	coords[ 0 ] = mat * ( rectCoords[ 0 ] - P );
	coords[ 1 ] = mat * ( rectCoords[ 1 ] - P );
	coords[ 2 ] = mat * ( rectCoords[ 2 ] - P );
	coords[ 3 ] = mat * ( rectCoords[ 3 ] - P );
	coords[ 0 ] = normalize( coords[ 0 ] );
	coords[ 1 ] = normalize( coords[ 1 ] );
	coords[ 2 ] = normalize( coords[ 2 ] );
	coords[ 3 ] = normalize( coords[ 3 ] );
	vec3 vectorFormFactor = vec3( 0.0 );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 0 ], coords[ 1 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 1 ], coords[ 2 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 2 ], coords[ 3 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 3 ], coords[ 0 ] );
	float result = LTC_ClippedSphereFormFactor( vectorFormFactor );
	return vec3( result );
}
#if defined( USE_SHEEN )
float D_Charlie( float roughness, float dotNH ) {
	float alpha = pow2( roughness );
	float invAlpha = 1.0 / alpha;
	float cos2h = dotNH * dotNH;
	float sin2h = max( 1.0 - cos2h, 0.0078125 );
	return ( 2.0 + invAlpha ) * pow( sin2h, invAlpha * 0.5 ) / ( 2.0 * PI );
}
float V_Neubelt( float dotNV, float dotNL ) {
	return saturate( 1.0 / ( 4.0 * ( dotNL + dotNV - dotNL * dotNV ) ) );
}
vec3 BRDF_Sheen( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, vec3 sheenColor, const in float sheenRoughness ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float D = D_Charlie( sheenRoughness, dotNH );
	float V = V_Neubelt( dotNV, dotNL );
	return sheenColor * ( D * V );
}
#endif
float IBLSheenBRDF( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	float r2 = roughness * roughness;
	float rInv = 1.0 / ( roughness + 0.1 );
	float a = -1.9362 + 1.0678 * roughness + 0.4573 * r2 - 0.8469 * rInv;
	float b = -0.6014 + 0.5538 * roughness - 0.4670 * r2 - 0.1255 * rInv;
	float DG = exp( a * dotNV + b );
	return saturate( DG );
}
vec3 EnvironmentBRDF( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	vec2 fab = texture2D( dfgLUT, vec2( roughness, dotNV ) ).rg;
	return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence( const in vec2 fab, const in vec3 specularColor, const in float specularF90, const in float iridescence, const in vec3 iridescenceF0, inout vec3 singleScatter, inout vec3 multiScatter ) {
#else
void computeMultiscattering( const in vec2 fab, const in vec3 specularColor, const in float specularF90, inout vec3 singleScatter, inout vec3 multiScatter ) {
#endif
	#ifdef USE_IRIDESCENCE
		vec3 Fr = mix( specularColor, iridescenceF0, iridescence );
	#else
		vec3 Fr = specularColor;
	#endif
	vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
	float Ess = fab.x + fab.y;
	float Ems = 1.0 - Ess;
	vec3 Favg = Fr + ( 1.0 - Fr ) * 0.047619;	vec3 Fms = FssEss * Favg / ( 1.0 - Ems * Favg );
	singleScatter += FssEss;
	multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
	void RE_Direct_RectArea_Physical( const in RectAreaLight rectAreaLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
		vec3 normal = geometryNormal;
		vec3 viewDir = geometryViewDir;
		vec3 position = geometryPosition;
		vec3 lightPos = rectAreaLight.position;
		vec3 halfWidth = rectAreaLight.halfWidth;
		vec3 halfHeight = rectAreaLight.halfHeight;
		vec3 lightColor = rectAreaLight.color;
		float roughness = material.roughness;
		vec3 rectCoords[ 4 ];
		rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
		rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
		rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
		vec2 uv = LTC_Uv( normal, viewDir, roughness );
		vec4 t1 = texture2D( ltc_1, uv );
		vec4 t2 = texture2D( ltc_2, uv );
		mat3 mInv = mat3(
			vec3( t1.x, 0, t1.y ),
			vec3(    0, 1,    0 ),
			vec3( t1.z, 0, t1.w )
		);
		vec3 fresnel = ( material.specularColorBlended * t2.x + ( material.specularF90 - material.specularColorBlended ) * t2.y );
		reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate( normal, viewDir, position, mInv, rectCoords );
		reflectedLight.directDiffuse += lightColor * material.diffuseContribution * LTC_Evaluate( normal, viewDir, position, mat3( 1.0 ), rectCoords );
		#ifdef USE_CLEARCOAT
			vec3 Ncc = geometryClearcoatNormal;
			vec2 uvClearcoat = LTC_Uv( Ncc, viewDir, material.clearcoatRoughness );
			vec4 t1Clearcoat = texture2D( ltc_1, uvClearcoat );
			vec4 t2Clearcoat = texture2D( ltc_2, uvClearcoat );
			mat3 mInvClearcoat = mat3(
				vec3( t1Clearcoat.x, 0, t1Clearcoat.y ),
				vec3(             0, 1,             0 ),
				vec3( t1Clearcoat.z, 0, t1Clearcoat.w )
			);
			vec3 fresnelClearcoat = material.clearcoatF0 * t2Clearcoat.x + ( material.clearcoatF90 - material.clearcoatF0 ) * t2Clearcoat.y;
			clearcoatSpecularDirect += lightColor * fresnelClearcoat * LTC_Evaluate( Ncc, viewDir, position, mInvClearcoat, rectCoords );
		#endif
	}
#endif
void RE_Direct_Physical( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	#ifdef USE_CLEARCOAT
		float dotNLcc = saturate( dot( geometryClearcoatNormal, directLight.direction ) );
		vec3 ccIrradiance = dotNLcc * directLight.color;
		clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat( directLight.direction, geometryViewDir, geometryClearcoatNormal, material );
	#endif
	#ifdef USE_SHEEN
 
 		sheenSpecularDirect += irradiance * BRDF_Sheen( directLight.direction, geometryViewDir, geometryNormal, material.sheenColor, material.sheenRoughness );
 
 		float sheenAlbedoV = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
 		float sheenAlbedoL = IBLSheenBRDF( geometryNormal, directLight.direction, material.sheenRoughness );
 
 		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * max( sheenAlbedoV, sheenAlbedoL );
 
 		irradiance *= sheenEnergyComp;
 
 	#endif
	vec3 specularBRDF = BRDF_GGX( directLight.direction, geometryViewDir, geometryNormal, material );
	#ifdef USE_RETROREFLECTION
		vec3 retroViewDir = reflect( - geometryViewDir, geometryNormal );
		vec3 retroSpecularBRDF = BRDF_GGX( directLight.direction, retroViewDir, geometryNormal, material );
		specularBRDF = mix( specularBRDF, retroSpecularBRDF, saturate( material.retroreflectivity ) );
	#endif
	reflectedLight.directSpecular += irradiance * specularBRDF * material.multiScatteringCompensation;
	vec3 halfDir = normalize( directLight.direction + geometryViewDir );
	float dotVH = saturate( dot( geometryViewDir, halfDir ) );
	vec3 F = F_Schlick( material.specularColor, material.specularF90, dotVH );
	#ifdef USE_RETROREFLECTION
		vec3 retroHalfDir = normalize( directLight.direction + retroViewDir );
		float dotRetroVH = saturate( dot( retroViewDir, retroHalfDir ) );
		vec3 retroF = F_Schlick( material.specularColor, material.specularF90, dotRetroVH );
		F = mix( F, retroF, saturate( material.retroreflectivity ) );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		vec3 diffuseBRDF = BRDF_EON( directLight.direction, geometryViewDir, geometryNormal, material.diffuseColor, material.diffuseRoughness ) * ( 1.0 - material.metalness );
	#else
		vec3 diffuseBRDF = BRDF_Lambert( material.diffuseContribution );
	#endif
	reflectedLight.directDiffuse += irradiance * diffuseBRDF * ( 1.0 - F );
}
void RE_IndirectDiffuse_Physical( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 singleScattering = vec3( 0.0 );
	vec3 multiScattering = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScattering, multiScattering );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScattering, multiScattering );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuseAlbedo = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness );
		vec3 diffuse = irradiance * RECIPROCAL_PI * diffuseAlbedo * ( 1.0 - singleScattering - multiScattering );
	#else
		vec3 diffuse = irradiance * BRDF_Lambert( material.diffuseContribution ) * ( 1.0 - singleScattering - multiScattering );
	#endif
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		sheenSpecularIndirect += irradiance * material.sheenColor * sheenAlbedo * RECIPROCAL_PI;
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		diffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectDiffuse += diffuse;
}
void RE_IndirectSpecular_Physical( const in vec3 radiance, const in vec3 irradiance, const in vec3 clearcoatRadiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
	#ifdef USE_CLEARCOAT
		clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF( geometryClearcoatNormal, geometryViewDir, material.clearcoatF0, material.clearcoatF90, material.clearcoatRoughness );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness ) * RECIPROCAL_PI;
 	#endif
	vec3 singleScatteringDielectric = vec3( 0.0 );
	vec3 multiScatteringDielectric = vec3( 0.0 );
	vec3 singleScatteringMetallic = vec3( 0.0 );
	vec3 multiScatteringMetallic = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscatteringIridescence( material.dfg, material.diffuseColor, material.specularF90, material.iridescence, material.iridescenceF0Metallic, singleScatteringMetallic, multiScatteringMetallic );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscattering( material.dfg, material.diffuseColor, material.specularF90, singleScatteringMetallic, multiScatteringMetallic );
	#endif
	vec3 singleScattering = mix( singleScatteringDielectric, singleScatteringMetallic, material.metalness );
	vec3 multiScattering = mix( multiScatteringDielectric, multiScatteringMetallic, material.metalness );
	vec3 totalScatteringDielectric = singleScatteringDielectric + multiScatteringDielectric;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuse = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness ) * ( 1.0 - totalScatteringDielectric );
	#else
		vec3 diffuse = material.diffuseContribution * ( 1.0 - totalScatteringDielectric );
	#endif
	vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
	vec3 indirectSpecular = radiance * singleScattering;
	indirectSpecular += multiScattering * cosineWeightedIrradiance;
	vec3 indirectDiffuse = diffuse * cosineWeightedIrradiance;
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		indirectSpecular *= sheenEnergyComp;
		indirectDiffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectSpecular += indirectSpecular;
	reflectedLight.indirectDiffuse += indirectDiffuse;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion( const in float dotNV, const in float ambientOcclusion, const in float roughness ) {
	return saturate( pow( dotNV + ambientOcclusion, exp2( - 16.0 * roughness - 1.0 ) ) - 1.0 + ambientOcclusion );
}`,Cy=`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = ( isOrthographic ) ? vec3( 0, 0, 1 ) : normalize( vViewPosition );
vec3 geometryClearcoatNormal = vec3( 0.0 );
#ifdef USE_CLEARCOAT
	geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
	float dotNVi = saturate( dot( normal, geometryViewDir ) );
	if ( material.iridescenceThickness == 0.0 ) {
		material.iridescence = 0.0;
	} else {
		material.iridescence = saturate( material.iridescence );
	}
	if ( material.iridescence > 0.0 ) {
		vec3 iridescenceFresnelDielectric = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.specularColor );
		vec3 iridescenceFresnelMetallic = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.diffuseColor );
		material.iridescenceFresnel = mix( iridescenceFresnelDielectric, iridescenceFresnelMetallic, material.metalness );
		material.iridescenceF0Dielectric = Schlick_to_F0( iridescenceFresnelDielectric, 1.0, dotNVi );
		material.iridescenceF0Metallic = Schlick_to_F0( iridescenceFresnelMetallic, 1.0, dotNVi );
	}
#endif
#ifdef STANDARD
	float dotNVms = saturate( dot( geometryNormal, geometryViewDir ) );
	material.dfg = texture2D( dfgLUT, vec2( material.roughness, dotNVms ) ).rg;
	#if ( NUM_SUN_LIGHTS > 0 || NUM_DIR_LIGHTS > 0 || NUM_POINT_LIGHTS > 0 || NUM_SPOT_LIGHTS > 0 )
		float EssMs = material.dfg.x + material.dfg.y;
		material.multiScatteringCompensation = 1.0 + material.specularColorBlended * ( 1.0 / EssMs - 1.0 );
	#endif
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
	PointLight pointLight;
	#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHTS; i ++ ) {
		pointLight = pointLights[ i ];
		getPointLightInfo( pointLight, geometryPosition, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS ) && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
		pointLightShadow = pointLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getPointShadow( pointShadowMap[ i ], pointLightShadow.shadowMapSize, pointLightShadow.shadowIntensity, pointLightShadow.shadowBias, pointLightShadow.shadowRadius, vPointShadowCoord[ i ], pointLightShadow.shadowCameraNear, pointLightShadow.shadowCameraFar ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
	SpotLight spotLight;
	vec4 spotColor;
	vec3 spotLightCoord;
	bool inSpotLightMap;
	#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHTS; i ++ ) {
		spotLight = spotLights[ i ];
		getSpotLightInfo( spotLight, geometryPosition, directLight );
		#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
		#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
		#else
		#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#endif
		#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
			spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
			inSpotLightMap = all( lessThan( abs( spotLightCoord * 2. - 1. ), vec3( 1.0 ) ) );
			spotColor = texture2D( spotLightMap[ SPOT_LIGHT_MAP_INDEX ], spotLightCoord.xy );
			directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
		#endif
		#undef SPOT_LIGHT_MAP_INDEX
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		spotLightShadow = spotLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( spotShadowMap[ i ], spotLightShadow.shadowMapSize, spotLightShadow.shadowIntensity, spotLightShadow.shadowBias, spotLightShadow.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SUN_LIGHTS > 0 ) && defined( RE_Direct )
	SunLight sunLight;
	#if defined( USE_SHADOWMAP ) && NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHTS; i ++ ) {
		sunLight = sunLights[ i ];
		getSunLightInfo( sunLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SUN_LIGHT_SHADOWS )
		sunLightShadow = sunLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getSunShadow( sunShadowMap[ i ], sunLightShadow, UNROLLED_LOOP_INDEX ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
	DirectionalLight directionalLight;
	#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHTS; i ++ ) {
		directionalLight = directionalLights[ i ];
		getDirectionalLightInfo( directionalLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
		directionalLightShadow = directionalLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( directionalShadowMap[ i ], directionalLightShadow.shadowMapSize, directionalLightShadow.shadowIntensity, directionalLightShadow.shadowBias, directionalLightShadow.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
	RectAreaLight rectAreaLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++ ) {
		rectAreaLight = rectAreaLights[ i ];
		RE_Direct_RectArea( rectAreaLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
	vec3 iblIrradiance = vec3( 0.0 );
	vec3 irradiance = getAmbientLightIrradiance( ambientLightColor );
	#if defined( USE_LIGHT_PROBES )
		irradiance += getLightProbeIrradiance( lightProbe, geometryNormal );
	#endif
	#if ( NUM_HEMI_LIGHTS > 0 )
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_HEMI_LIGHTS; i ++ ) {
			irradiance += getHemisphereLightIrradiance( hemisphereLights[ i ], geometryNormal );
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_LIGHT_PROBE_GRIDS > 0
		vec3 probeWorldPos = ( ( vec4( geometryPosition, 1.0 ) - viewMatrix[ 3 ] ) * viewMatrix ).xyz;
		vec3 probeWorldNormal = transformNormalByInverseViewMatrix( geometryNormal, viewMatrix );
		int probeGrid = - 1;
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( isInsideLightProbeGrid( probeWorldPos, probeWorldNormal, probesMin[ i ], probesMax[ i ], probesResolution[ i ] ) ) probeGrid = UNROLLED_LOOP_INDEX;
		}
		#pragma unroll_loop_end
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( probeGrid == UNROLLED_LOOP_INDEX ) irradiance += getLightProbeGridIrradiance( probesSH[ i ], probesMin[ i ], probesMax[ i ], probesResolution[ i ], probeWorldPos, probeWorldNormal );
		}
		#pragma unroll_loop_end
	#endif
#endif
#if defined( RE_IndirectSpecular )
	vec3 radiance = vec3( 0.0 );
	vec3 clearcoatRadiance = vec3( 0.0 );
#endif`,Py=`#if defined( RE_IndirectDiffuse )
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
		irradiance += lightMapIrradiance;
	#endif
	#if defined( USE_ENVMAP ) && defined( ENVMAP_TYPE_PMREM )
		#if defined( STANDARD ) || defined( LAMBERT ) || defined( PHONG )
			iblIrradiance += getIBLIrradiance( geometryNormal );
		#endif
	#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
	#ifdef USE_ANISOTROPY
		vec3 iblRadiance = getIBLAnisotropyRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
	#else
		vec3 iblRadiance = getIBLRadiance( geometryViewDir, geometryNormal, material.roughness );
	#endif
	#ifdef USE_RETROREFLECTION
		#ifdef USE_ANISOTROPY
			vec3 retroIBLRadiance = getIBLAnisotropyRetroRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
		#else
			vec3 retroIBLRadiance = getIBLRetroRadiance( geometryViewDir, geometryNormal, material.roughness );
		#endif
		iblRadiance = mix( iblRadiance, retroIBLRadiance, saturate( material.retroreflectivity ) );
	#endif
	radiance += iblRadiance;
	#ifdef USE_CLEARCOAT
		clearcoatRadiance += getIBLRadiance( geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness );
	#endif
#endif`,Iy=`#if defined( RE_IndirectDiffuse )
	#if defined( LAMBERT ) || defined( PHONG )
		irradiance += iblIrradiance;
	#endif
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,Ly=`#if NUM_LIGHT_PROBE_GRIDS > 0
uniform highp sampler3D probesSH[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMin[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMax[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesResolution[ NUM_LIGHT_PROBE_GRIDS ];
bool isInsideLightProbeGrid( vec3 worldPos, vec3 worldNormal, vec3 probesMin, vec3 probesMax, vec3 probesResolution ) {
	vec3 spacing = ( probesMax - probesMin ) / probesResolution;
	vec3 samplePos = worldPos + worldNormal * spacing * 0.5;
	vec3 margin = spacing * 0.01;
	return all( greaterThanEqual( samplePos, probesMin - margin ) ) && all( lessThanEqual( samplePos, probesMax + margin ) );
}
vec3 getLightProbeGridIrradiance( highp sampler3D probesSH, vec3 probesMin, vec3 probesMax, vec3 probesResolution, vec3 worldPos, vec3 worldNormal ) {
	vec3 res = probesResolution;
	vec3 gridRange = probesMax - probesMin;
	vec3 probeSpacing = gridRange / res;
	vec3 samplePos = worldPos + worldNormal * probeSpacing * 0.5;
	vec3 uvw = clamp( ( samplePos - probesMin ) / gridRange, 0.5 / res, 1.0 - 0.5 / res );
	float nz          = res.z;
	float paddedSlices = nz + 2.0;
	float atlasDepth  = 7.0 * paddedSlices;
	float uvZBase     = uvw.z * nz + 1.0;
	vec4 s0 = texture( probesSH, vec3( uvw.xy, ( uvZBase                       ) / atlasDepth ) );
	vec4 s1 = texture( probesSH, vec3( uvw.xy, ( uvZBase +       paddedSlices   ) / atlasDepth ) );
	vec4 s2 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 2.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s3 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 3.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s4 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 4.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s5 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 5.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s6 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 6.0 * paddedSlices   ) / atlasDepth ) );
	vec3 c0 = s0.xyz;
	vec3 c1 = vec3( s0.w, s1.xy );
	vec3 c2 = vec3( s1.zw, s2.x );
	vec3 c3 = s2.yzw;
	vec3 c4 = s3.xyz;
	vec3 c5 = vec3( s3.w, s4.xy );
	vec3 c6 = vec3( s4.zw, s5.x );
	vec3 c7 = s5.yzw;
	vec3 c8 = s6.xyz;
	float x = worldNormal.x, y = worldNormal.y, z = worldNormal.z;
	vec3 result = c0 * 0.886227;
	result += c1 * 2.0 * 0.511664 * y;
	result += c2 * 2.0 * 0.511664 * z;
	result += c3 * 2.0 * 0.511664 * x;
	result += c4 * 2.0 * 0.429043 * x * y;
	result += c5 * 2.0 * 0.429043 * y * z;
	result += c6 * ( 0.743125 * z * z - 0.247708 );
	result += c7 * 2.0 * 0.429043 * x * z;
	result += c8 * 0.429043 * ( x * x - y * y );
	return max( result, vec3( 0.0 ) );
}
#endif`,Dy=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,Ny=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,Uy=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,Fy=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,Oy=`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,By=`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,ky=`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
	#if defined( USE_POINTS_UV )
		vec2 uv = vUv;
	#else
		vec2 uv = ( uvTransform * vec3( gl_PointCoord.x, 1.0 - gl_PointCoord.y, 1 ) ).xy;
	#endif
#endif
#ifdef USE_MAP
	diffuseColor *= texture2D( map, uv );
#endif
#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, uv ).g;
#endif`,zy=`#if defined( USE_POINTS_UV )
	varying vec2 vUv;
#else
	#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
		uniform mat3 uvTransform;
	#endif
#endif
#ifdef USE_MAP
	uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,Hy=`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,Gy=`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,Vy=`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,Wy=`#if defined( USE_MORPHCOLORS )
	#if defined( USE_COLOR_ALPHA )
		vColor *= morphTargetBaseInfluence;
	#elif defined( USE_COLOR )
		vColor.rgb *= morphTargetBaseInfluence;
	#endif
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		#if defined( USE_COLOR_ALPHA )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ) * morphTargetInfluences[ i ];
		#elif defined( USE_COLOR )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor.rgb += getMorph( gl_VertexID, i, 2 ).rgb * morphTargetInfluences[ i ];
		#endif
	}
#endif`,Xy=`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,qy=`#ifdef USE_MORPHTARGETS
	#ifndef USE_INSTANCING_MORPH
		uniform float morphTargetBaseInfluence;
		uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	#endif
	uniform sampler2DArray morphTargetsTexture;
	uniform ivec2 morphTargetsTextureSize;
	vec4 getMorph( const in int vertexIndex, const in int morphTargetIndex, const in int offset ) {
		int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
		int y = texelIndex / morphTargetsTextureSize.x;
		int x = texelIndex - y * morphTargetsTextureSize.x;
		ivec3 morphUV = ivec3( x, y, morphTargetIndex );
		return texelFetch( morphTargetsTexture, morphUV, 0 );
	}
#endif`,Yy=`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,Zy=`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
	vec3 fdx = dFdx( vViewPosition );
	vec3 fdy = dFdy( vViewPosition );
	vec3 normal = normalize( cross( fdx, fdy ) );
#else
	vec3 normal = normalize( vNormal );
	#ifdef DOUBLE_SIDED
		normal *= faceDirection;
	#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
	#ifdef USE_TANGENT
		mat3 tbn = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn = getTangentFrame( - vViewPosition, normal,
		#if defined( USE_NORMALMAP )
			vNormalMapUv
		#elif defined( USE_CLEARCOAT_NORMALMAP )
			vClearcoatNormalMapUv
		#else
			vUv
		#endif
		);
	#endif
	#ifdef DOUBLE_SIDED
		tbn[0] *= faceDirection;
		tbn[1] *= faceDirection;
	#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	#ifdef USE_TANGENT
		mat3 tbn2 = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn2 = getTangentFrame( - vViewPosition, normal, vClearcoatNormalMapUv );
	#endif
	#ifdef DOUBLE_SIDED
		tbn2[0] *= faceDirection;
		tbn2[1] *= faceDirection;
	#endif
#endif
vec3 nonPerturbedNormal = normal;`,$y=`#ifdef USE_NORMALMAP_OBJECTSPACE
	normal = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#ifdef FLIP_SIDED
		normal = - normal;
	#endif
	#ifdef DOUBLE_SIDED
		normal = normal * faceDirection;
	#endif
	normal = normalize( normalMatrix * normal );
#elif defined( USE_NORMALMAP_TANGENTSPACE )
	vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#if defined( USE_PACKED_NORMALMAP )
		mapN = vec3( mapN.xy, sqrt( saturate( 1.0 - dot( mapN.xy, mapN.xy ) ) ) );
	#endif
	mapN.xy *= normalScale;
	normal = normalize( tbn * mapN );
#elif defined( USE_BUMPMAP )
	normal = perturbNormalArb( - vViewPosition, normal, dHdxy_fwd(), faceDirection );
#endif`,Jy=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,Ky=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,jy=`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
		#ifdef FLIP_SIDED
			vBitangent = - vBitangent;
		#endif
	#endif
#endif`,Qy=`#ifdef USE_NORMALMAP
	uniform sampler2D normalMap;
	uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
	uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
	mat3 getTangentFrame( vec3 eye_pos, vec3 surf_norm, vec2 uv ) {
		vec3 q0 = dFdx( eye_pos.xyz );
		vec3 q1 = dFdy( eye_pos.xyz );
		vec2 st0 = dFdx( uv.st );
		vec2 st1 = dFdy( uv.st );
		vec3 N = surf_norm;
		vec3 q1perp = cross( q1, N );
		vec3 q0perp = cross( N, q0 );
		vec3 T = q1perp * st0.x + q0perp * st1.x;
		vec3 B = q1perp * st0.y + q0perp * st1.y;
		float det = max( dot( T, T ), dot( B, B ) );
		float scale = ( det == 0.0 ) ? 0.0 : inversesqrt( det );
		return mat3( T * scale, B * scale, N );
	}
#endif`,tv=`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,ev=`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,nv=`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,iv=`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,sv=`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,rv=`vec3 packNormalToRGB( const in vec3 normal ) {
	return normalize( normal ) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal( const in vec3 rgb ) {
	return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4( 1.0, 256.0, 256.0 * 256.0, 256.0 * 256.0 * 256.0 );
const vec2 UnpackFactors2 = vec2( UnpackDownscale, 1.0 / PackFactors.g );
const vec3 UnpackFactors3 = vec3( UnpackDownscale / PackFactors.rg, 1.0 / PackFactors.b );
const vec4 UnpackFactors4 = vec4( UnpackDownscale / PackFactors.rgb, 1.0 / PackFactors.a );
vec4 packDepthToRGBA( const in float v ) {
	if( v <= 0.0 )
		return vec4( 0., 0., 0., 0. );
	if( v >= 1.0 )
		return vec4( 1., 1., 1., 1. );
	float vuf;
	float af = modf( v * PackFactors.a, vuf );
	float bf = modf( vuf * ShiftRight8, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec4( vuf * Inv255, gf * PackUpscale, bf * PackUpscale, af );
}
vec3 packDepthToRGB( const in float v ) {
	if( v <= 0.0 )
		return vec3( 0., 0., 0. );
	if( v >= 1.0 )
		return vec3( 1., 1., 1. );
	float vuf;
	float bf = modf( v * PackFactors.b, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec3( vuf * Inv255, gf * PackUpscale, bf );
}
vec2 packDepthToRG( const in float v ) {
	if( v <= 0.0 )
		return vec2( 0., 0. );
	if( v >= 1.0 )
		return vec2( 1., 1. );
	float vuf;
	float gf = modf( v * 256., vuf );
	return vec2( vuf * Inv255, gf );
}
float unpackRGBAToDepth( const in vec4 v ) {
	return dot( v, UnpackFactors4 );
}
float unpackRGBToDepth( const in vec3 v ) {
	return dot( v, UnpackFactors3 );
}
float unpackRGToDepth( const in vec2 v ) {
	return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA( const in vec2 v ) {
	vec4 r = vec4( v.x, fract( v.x * 255.0 ), v.y, fract( v.y * 255.0 ) );
	return vec4( r.x - r.y / 255.0, r.y, r.z - r.w / 255.0, r.w );
}
vec2 unpackRGBATo2Half( const in vec4 v ) {
	return vec2( v.x + ( v.y / 255.0 ), v.z + ( v.w / 255.0 ) );
}
float viewZToOrthographicDepth( const in float viewZ, const in float near, const in float far ) {
	return ( viewZ + near ) / ( near - far );
}
float orthographicDepthToViewZ( const in float depth, const in float near, const in float far ) {
	#ifdef USE_REVERSED_DEPTH_BUFFER
	
		return depth * ( far - near ) - far;
	#else
		return depth * ( near - far ) - near;
	#endif
}
float viewZToPerspectiveDepth( const in float viewZ, const in float near, const in float far ) {
	return ( ( near + viewZ ) * far ) / ( ( far - near ) * viewZ );
}
float perspectiveDepthToViewZ( const in float depth, const in float near, const in float far ) {
	
	#ifdef USE_REVERSED_DEPTH_BUFFER
		return ( near * far ) / ( ( near - far ) * depth - near );
	#else
		return ( near * far ) / ( ( far - near ) * depth - far );
	#endif
}`,ov=`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,av=`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,lv=`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,cv=`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,hv=`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,uv=`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,fv=`#if NUM_SPOT_LIGHT_COORDS > 0
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
	uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		#define SUN_LIGHT_CASCADES 2
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#else
			uniform sampler2D sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#endif
		uniform mat4 sunShadowMatrix[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		uniform vec4 sunShadowCascade[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
		struct SunLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SunLightShadow sunLightShadows[ NUM_SUN_LIGHT_SHADOWS ];
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#else
			uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#endif
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#else
			uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#endif
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform samplerCubeShadow pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#elif defined( SHADOWMAP_TYPE_BASIC )
			uniform samplerCube pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#endif
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float interleavedGradientNoise( vec2 position ) {
			return fract( 52.9829189 * fract( dot( position, vec2( 0.06711056, 0.00583715 ) ) ) );
		}
		vec2 vogelDiskSample( int sampleIndex, int samplesCount, float phi ) {
			const float goldenAngle = 2.399963229728653;
			float r = sqrt( ( float( sampleIndex ) + 0.5 ) / float( samplesCount ) );
			float theta = float( sampleIndex ) * goldenAngle + phi;
			return vec2( cos( theta ), sin( theta ) ) * r;
		}
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float getShadow( sampler2DShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
				vec2 radius = shadowRadius * texelSize;
				float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
				shadow = (
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 0, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 1, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 2, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 3, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 4, 5, phi ) * radius, shadowCoord.z ) )
				) * 0.2;
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#elif defined( SHADOWMAP_TYPE_VSM )
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 distribution = texture2D( shadowMap, shadowCoord.xy ).rg;
				float mean = distribution.x;
				float variance = distribution.y * distribution.y;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					float hard_shadow = step( mean, shadowCoord.z );
				#else
					float hard_shadow = step( shadowCoord.z, mean );
				#endif
				
				if ( hard_shadow == 1.0 ) {
					shadow = 1.0;
				} else {
					variance = max( variance, 0.0000001 );
					float d = shadowCoord.z - mean;
					float p_max = variance / ( variance + d * d );
					p_max = clamp( ( p_max - 0.3 ) / 0.65, 0.0, 1.0 );
					shadow = max( hard_shadow, p_max );
				}
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#else
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				float depth = texture2D( shadowMap, shadowCoord.xy ).r;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					shadow = step( depth, shadowCoord.z );
				#else
					shadow = step( shadowCoord.z, depth );
				#endif
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#endif
	#if NUM_SUN_LIGHT_SHADOWS > 0
		float getSunShadow(
			#if defined( SHADOWMAP_TYPE_PCF )
				sampler2DShadow shadowMap,
			#else
				sampler2D shadowMap,
			#endif
			SunLightShadow sunLightShadow,
			int shadowIndex
		) {
			vec4 shadowWorldPosition = vec4( vSunShadowWorldPosition.xyz + vSunShadowWorldNormal * sunLightShadow.shadowNormalBias, 1.0 );
			float viewDepth = vSunShadowWorldPosition.w;
			int cascadeOffset = shadowIndex * SUN_LIGHT_CASCADES;
			float shadow = 1.0;
			for ( int i = SUN_LIGHT_CASCADES - 1; i >= 0; i -- ) {
				vec4 cascade = sunShadowCascade[ cascadeOffset + i ];
				if ( viewDepth >= cascade.x && viewDepth < cascade.y ) {
					float cascadeShadow = getShadow(
						shadowMap,
						sunLightShadow.shadowMapSize,
						sunLightShadow.shadowIntensity,
						sunLightShadow.shadowBias,
						sunLightShadow.shadowRadius,
						sunShadowMatrix[ cascadeOffset + i ] * shadowWorldPosition
					);
					shadow = mix( cascadeShadow, shadow, smoothstep( cascade.z, cascade.y, viewDepth ) );
				}
			}
			return shadow;
		}
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
	#if defined( SHADOWMAP_TYPE_PCF )
	float getPointShadow( samplerCubeShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 bd3D = normalize( lightToPosition );
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float lightDistance = length( lightToPosition );
			float depthRange = shadowCameraFar - shadowCameraNear;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				float depthA = - shadowCameraNear / depthRange - shadowBias;
				float depthB = shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#else
				float depthA = shadowCameraFar / depthRange + shadowBias;
				float depthB = - shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#endif
			float texelSize = shadowRadius / shadowMapSize.x;
			vec3 absDir = abs( bd3D );
			vec3 tangent = absDir.x > absDir.z ? vec3( 0.0, 1.0, 0.0 ) : vec3( 1.0, 0.0, 0.0 );
			tangent = normalize( cross( bd3D, tangent ) );
			vec3 bitangent = cross( bd3D, tangent );
			float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
			shadow = 0.0;
			for ( int i = 0; i < 5; i ++ ) {
				vec2 offset = vogelDiskSample( i, 5, phi );
				vec3 direction = bd3D + ( tangent * offset.x + bitangent * offset.y ) * texelSize;
				vec3 absDirection = abs( direction );
				float dp = depthA + depthB / max( max( absDirection.x, absDirection.y ), absDirection.z );
				shadow += texture( shadowMap, vec4( direction, dp ) );
			}
			shadow *= 0.2;
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#elif defined( SHADOWMAP_TYPE_BASIC )
	float getPointShadow( samplerCube shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float dp = ( shadowCameraFar * ( viewSpaceZ - shadowCameraNear ) ) / ( viewSpaceZ * ( shadowCameraFar - shadowCameraNear ) );
			dp += shadowBias;
			vec3 bd3D = normalize( lightToPosition );
			float depth = textureCube( shadowMap, bd3D ).r;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				depth = 1.0 - depth;
			#endif
			shadow = step( dp, depth );
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#endif
	#endif
#endif`,dv=`#if NUM_SPOT_LIGHT_COORDS > 0
	uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
#endif`,pv=`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_SUN_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
	#ifdef HAS_NORMAL
		vec3 shadowWorldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
	#else
		vec3 shadowWorldNormal = vec3( 0.0 );
	#endif
	vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
	#if NUM_SUN_LIGHT_SHADOWS > 0
		vSunShadowWorldPosition = vec4( worldPosition.xyz, - mvPosition.z );
		vSunShadowWorldNormal = shadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias, 0 );
			vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias, 0 );
			vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++ ) {
		shadowWorldPosition = worldPosition;
		#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
			shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
		#endif
		vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
	}
	#pragma unroll_loop_end
#endif`,mv=`float getShadowMask() {
	float shadow = 1.0;
	#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHT_SHADOWS; i ++ ) {
		sunLight = sunLightShadows[ i ];
		shadow *= receiveShadow ? getSunShadow( sunShadowMap[ i ], sunLight, UNROLLED_LOOP_INDEX ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
		directionalLight = directionalLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( directionalShadowMap[ i ], directionalLight.shadowMapSize, directionalLight.shadowIntensity, directionalLight.shadowBias, directionalLight.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++ ) {
		spotLight = spotLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( spotShadowMap[ i ], spotLight.shadowMapSize, spotLight.shadowIntensity, spotLight.shadowBias, spotLight.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0 && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
	PointLightShadow pointLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
		pointLight = pointLightShadows[ i ];
		shadow *= receiveShadow ? getPointShadow( pointShadowMap[ i ], pointLight.shadowMapSize, pointLight.shadowIntensity, pointLight.shadowBias, pointLight.shadowRadius, vPointShadowCoord[ i ], pointLight.shadowCameraNear, pointLight.shadowCameraFar ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#endif
	return shadow;
}`,gv=`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,_v=`#ifdef USE_SKINNING
	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	mat4 getBoneMatrix( const in float i ) {
		int size = textureSize( boneTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( boneTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
#endif`,xv=`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,yv=`#ifdef USE_SKINNING
	mat4 skinMatrix = mat4( 0.0 );
	skinMatrix += skinWeight.x * boneMatX;
	skinMatrix += skinWeight.y * boneMatY;
	skinMatrix += skinWeight.z * boneMatZ;
	skinMatrix += skinWeight.w * boneMatW;
	skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
	objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent = vec4( skinMatrix * vec4( objectTangent, 0.0 ) ).xyz;
	#endif
#endif`,vv=`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,Mv=`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,Sv=`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,bv=`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping( vec3 color ) {
	return saturate( toneMappingExposure * color );
}
vec3 ReinhardToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	return saturate( color / ( vec3( 1.0 ) + color ) );
}
vec3 CineonToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	color = max( vec3( 0.0 ), color - 0.004 );
	return pow( ( color * ( 6.2 * color + 0.5 ) ) / ( color * ( 6.2 * color + 1.7 ) + 0.06 ), vec3( 2.2 ) );
}
vec3 RRTAndODTFit( vec3 v ) {
	vec3 a = v * ( v + 0.0245786 ) - 0.000090537;
	vec3 b = v * ( 0.983729 * v + 0.4329510 ) + 0.238081;
	return a / b;
}
vec3 ACESFilmicToneMapping( vec3 color ) {
	const mat3 ACESInputMat = mat3(
		vec3( 0.59719, 0.07600, 0.02840 ),		vec3( 0.35458, 0.90834, 0.13383 ),
		vec3( 0.04823, 0.01566, 0.83777 )
	);
	const mat3 ACESOutputMat = mat3(
		vec3(  1.60475, -0.10208, -0.00327 ),		vec3( -0.53108,  1.10813, -0.07276 ),
		vec3( -0.07367, -0.00605,  1.07602 )
	);
	color *= toneMappingExposure / 0.6;
	color = ACESInputMat * color;
	color = RRTAndODTFit( color );
	color = ACESOutputMat * color;
	return saturate( color );
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
	vec3( 1.6605, - 0.1246, - 0.0182 ),
	vec3( - 0.5876, 1.1329, - 0.1006 ),
	vec3( - 0.0728, - 0.0083, 1.1187 )
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
	vec3( 0.6274, 0.0691, 0.0164 ),
	vec3( 0.3293, 0.9195, 0.0880 ),
	vec3( 0.0433, 0.0113, 0.8956 )
);
vec3 agxDefaultContrastApprox( vec3 x ) {
	vec3 x2 = x * x;
	vec3 x4 = x2 * x2;
	return + 15.5 * x4 * x2
		- 40.14 * x4 * x
		+ 31.96 * x4
		- 6.868 * x2 * x
		+ 0.4298 * x2
		+ 0.1191 * x
		- 0.00232;
}
vec3 AgXToneMapping( vec3 color ) {
	const mat3 AgXInsetMatrix = mat3(
		vec3( 0.856627153315983, 0.137318972929847, 0.11189821299995 ),
		vec3( 0.0951212405381588, 0.761241990602591, 0.0767994186031903 ),
		vec3( 0.0482516061458583, 0.101439036467562, 0.811302368396859 )
	);
	const mat3 AgXOutsetMatrix = mat3(
		vec3( 1.1271005818144368, - 0.1413297634984383, - 0.14132976349843826 ),
		vec3( - 0.11060664309660323, 1.157823702216272, - 0.11060664309660294 ),
		vec3( - 0.016493938717834573, - 0.016493938717834257, 1.2519364065950405 )
	);
	const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
	color *= toneMappingExposure;
	color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
	color = AgXInsetMatrix * color;
	color = max( color, 1e-10 );	color = log2( color );
	color = ( color - AgxMinEv ) / ( AgxMaxEv - AgxMinEv );
	color = clamp( color, 0.0, 1.0 );
	color = agxDefaultContrastApprox( color );
	color = AgXOutsetMatrix * color;
	color = pow( max( vec3( 0.0 ), color ), vec3( 2.2 ) );
	color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
	color = clamp( color, 0.0, 1.0 );
	return color;
}
vec3 NeutralToneMapping( vec3 color ) {
	const float StartCompression = 0.8 - 0.04;
	const float Desaturation = 0.15;
	color *= toneMappingExposure;
	float x = min( color.r, min( color.g, color.b ) );
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	color -= offset;
	float peak = max( color.r, max( color.g, color.b ) );
	if ( peak < StartCompression ) return color;
	float d = 1. - StartCompression;
	float newPeak = 1. - d * d / ( peak + d - StartCompression );
	color *= newPeak / peak;
	float g = 1. - 1. / ( Desaturation * ( peak - newPeak ) + 1. );
	return mix( color, vec3( newPeak ), g );
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,wv=`#ifdef USE_TRANSMISSION
	material.transmission = transmission;
	material.transmissionAlpha = 1.0;
	material.thickness = thickness;
	material.attenuationDistance = attenuationDistance;
	material.attenuationColor = attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		material.transmission *= texture2D( transmissionMap, vTransmissionMapUv ).r;
	#endif
	#ifdef USE_THICKNESSMAP
		material.thickness *= texture2D( thicknessMap, vThicknessMapUv ).g;
	#endif
	vec3 pos = vWorldPosition;
	vec3 v = normalize( cameraPosition - pos );
	vec3 n = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec4 transmitted = getIBLVolumeRefraction(
		n, v, material.roughness, material.diffuseContribution, material.specularColorBlended, material.specularF90,
		pos, modelMatrix, viewMatrix, projectionMatrix, material.dispersion, material.ior, material.thickness,
		material.attenuationColor, material.attenuationDistance );
	material.transmissionAlpha = mix( material.transmissionAlpha, transmitted.a, material.transmission );
	totalDiffuse = mix( totalDiffuse, transmitted.rgb, material.transmission );
#endif`,Ev=`#ifdef USE_TRANSMISSION
	uniform float transmission;
	uniform float thickness;
	uniform float attenuationDistance;
	uniform vec3 attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		uniform sampler2D transmissionMap;
	#endif
	#ifdef USE_THICKNESSMAP
		uniform sampler2D thicknessMap;
	#endif
	uniform vec2 transmissionSamplerSize;
	uniform sampler2D transmissionSamplerMap;
	uniform mat4 modelMatrix;
	uniform mat4 projectionMatrix;
	varying vec3 vWorldPosition;
	float w0( float a ) {
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - a + 3.0 ) - 3.0 ) + 1.0 );
	}
	float w1( float a ) {
		return ( 1.0 / 6.0 ) * ( a *  a * ( 3.0 * a - 6.0 ) + 4.0 );
	}
	float w2( float a ){
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - 3.0 * a + 3.0 ) + 3.0 ) + 1.0 );
	}
	float w3( float a ) {
		return ( 1.0 / 6.0 ) * ( a * a * a );
	}
	float g0( float a ) {
		return w0( a ) + w1( a );
	}
	float g1( float a ) {
		return w2( a ) + w3( a );
	}
	float h0( float a ) {
		return - 1.0 + w1( a ) / ( w0( a ) + w1( a ) );
	}
	float h1( float a ) {
		return 1.0 + w3( a ) / ( w2( a ) + w3( a ) );
	}
	vec4 bicubic( sampler2D tex, vec2 uv, vec4 texelSize, float lod ) {
		uv = uv * texelSize.zw + 0.5;
		vec2 iuv = floor( uv );
		vec2 fuv = fract( uv );
		float g0x = g0( fuv.x );
		float g1x = g1( fuv.x );
		float h0x = h0( fuv.x );
		float h1x = h1( fuv.x );
		float h0y = h0( fuv.y );
		float h1y = h1( fuv.y );
		vec2 p0 = ( vec2( iuv.x + h0x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p1 = ( vec2( iuv.x + h1x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p2 = ( vec2( iuv.x + h0x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		vec2 p3 = ( vec2( iuv.x + h1x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		return g0( fuv.y ) * ( g0x * textureLod( tex, p0, lod ) + g1x * textureLod( tex, p1, lod ) ) +
			g1( fuv.y ) * ( g0x * textureLod( tex, p2, lod ) + g1x * textureLod( tex, p3, lod ) );
	}
	vec4 textureBicubic( sampler2D sampler, vec2 uv, float lod ) {
		vec2 fLodSize = vec2( textureSize( sampler, int( lod ) ) );
		vec2 cLodSize = vec2( textureSize( sampler, int( lod + 1.0 ) ) );
		vec2 fLodSizeInv = 1.0 / fLodSize;
		vec2 cLodSizeInv = 1.0 / cLodSize;
		vec4 fSample = bicubic( sampler, uv, vec4( fLodSizeInv, fLodSize ), floor( lod ) );
		vec4 cSample = bicubic( sampler, uv, vec4( cLodSizeInv, cLodSize ), ceil( lod ) );
		return mix( fSample, cSample, fract( lod ) );
	}
	vec3 getVolumeTransmissionRay( const in vec3 n, const in vec3 v, const in float thickness, const in float ior, const in mat4 modelMatrix ) {
		vec3 refractionVector = refract( - v, normalize( n ), 1.0 / ior );
		vec3 modelScale;
		modelScale.x = length( vec3( modelMatrix[ 0 ].xyz ) );
		modelScale.y = length( vec3( modelMatrix[ 1 ].xyz ) );
		modelScale.z = length( vec3( modelMatrix[ 2 ].xyz ) );
		return normalize( refractionVector ) * thickness * modelScale;
	}
	float applyIorToRoughness( const in float roughness, const in float ior ) {
		return roughness * clamp( ior * 2.0 - 2.0, 0.0, 1.0 );
	}
	vec4 getTransmissionSample( const in vec2 fragCoord, const in float roughness, const in float ior ) {
		float lod = log2( transmissionSamplerSize.x ) * applyIorToRoughness( roughness, ior );
		return textureBicubic( transmissionSamplerMap, fragCoord.xy, lod );
	}
	vec3 volumeAttenuation( const in float transmissionDistance, const in vec3 attenuationColor, const in float attenuationDistance ) {
		if ( isinf( attenuationDistance ) ) {
			return vec3( 1.0 );
		} else {
			vec3 attenuationCoefficient = -log( attenuationColor ) / attenuationDistance;
			vec3 transmittance = exp( - attenuationCoefficient * transmissionDistance );			return transmittance;
		}
	}
	vec4 getIBLVolumeRefraction( const in vec3 n, const in vec3 v, const in float roughness, const in vec3 diffuseColor,
		const in vec3 specularColor, const in float specularF90, const in vec3 position, const in mat4 modelMatrix,
		const in mat4 viewMatrix, const in mat4 projMatrix, const in float dispersion, const in float ior, const in float thickness,
		const in vec3 attenuationColor, const in float attenuationDistance ) {
		vec4 transmittedLight;
		vec3 transmittance;
		#ifdef USE_DISPERSION
			float halfSpread = ( ior - 1.0 ) * 0.025 * dispersion;
			vec3 iors = vec3( ior - halfSpread, ior, ior + halfSpread );
			for ( int i = 0; i < 3; i ++ ) {
				vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, iors[ i ], modelMatrix );
				vec3 refractedRayExit = position + transmissionRay;
				vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
				vec2 refractionCoords = ndcPos.xy / ndcPos.w;
				refractionCoords += 1.0;
				refractionCoords /= 2.0;
				vec4 transmissionSample = getTransmissionSample( refractionCoords, roughness, iors[ i ] );
				transmittedLight[ i ] = transmissionSample[ i ];
				transmittedLight.a += transmissionSample.a;
				transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance )[ i ];
			}
			transmittedLight.a /= 3.0;
		#else
			vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, ior, modelMatrix );
			vec3 refractedRayExit = position + transmissionRay;
			vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
			vec2 refractionCoords = ndcPos.xy / ndcPos.w;
			refractionCoords += 1.0;
			refractionCoords /= 2.0;
			transmittedLight = getTransmissionSample( refractionCoords, roughness, ior );
			transmittance = diffuseColor * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance );
		#endif
		vec3 attenuatedColor = transmittance * transmittedLight.rgb;
		vec3 F = EnvironmentBRDF( n, v, specularColor, specularF90, roughness );
		float transmittanceFactor = ( transmittance.r + transmittance.g + transmittance.b ) / 3.0;
		return vec4( ( 1.0 - F ) * attenuatedColor, 1.0 - ( 1.0 - transmittedLight.a ) * transmittanceFactor );
	}
#endif`,Tv=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,Av=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	uniform mat3 mapTransform;
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	uniform mat3 alphaMapTransform;
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	uniform mat3 lightMapTransform;
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	uniform mat3 aoMapTransform;
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	uniform mat3 bumpMapTransform;
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	uniform mat3 normalMapTransform;
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
	uniform mat3 displacementMapTransform;
	varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	uniform mat3 emissiveMapTransform;
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	uniform mat3 metalnessMapTransform;
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	uniform mat3 roughnessMapTransform;
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	uniform mat3 diffuseRoughnessMapTransform;
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	uniform mat3 anisotropyMapTransform;
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	uniform mat3 clearcoatMapTransform;
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform mat3 clearcoatNormalMapTransform;
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform mat3 clearcoatRoughnessMapTransform;
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	uniform mat3 sheenColorMapTransform;
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	uniform mat3 sheenRoughnessMapTransform;
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	uniform mat3 iridescenceMapTransform;
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform mat3 iridescenceThicknessMapTransform;
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
	uniform mat3 specularMapTransform;
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	uniform mat3 specularColorMapTransform;
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	uniform mat3 specularIntensityMapTransform;
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,Rv=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	vUv = vec3( uv, 1 ).xy;
#endif
#ifdef USE_MAP
	vMapUv = ( mapTransform * vec3( MAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ALPHAMAP
	vAlphaMapUv = ( alphaMapTransform * vec3( ALPHAMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_LIGHTMAP
	vLightMapUv = ( lightMapTransform * vec3( LIGHTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_AOMAP
	vAoMapUv = ( aoMapTransform * vec3( AOMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_BUMPMAP
	vBumpMapUv = ( bumpMapTransform * vec3( BUMPMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_NORMALMAP
	vNormalMapUv = ( normalMapTransform * vec3( NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
	vDisplacementMapUv = ( displacementMapTransform * vec3( DISPLACEMENTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_EMISSIVEMAP
	vEmissiveMapUv = ( emissiveMapTransform * vec3( EMISSIVEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_METALNESSMAP
	vMetalnessMapUv = ( metalnessMapTransform * vec3( METALNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ROUGHNESSMAP
	vRoughnessMapUv = ( roughnessMapTransform * vec3( ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	vDiffuseRoughnessMapUv = ( diffuseRoughnessMapTransform * vec3( DIFFUSE_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ANISOTROPYMAP
	vAnisotropyMapUv = ( anisotropyMapTransform * vec3( ANISOTROPYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOATMAP
	vClearcoatMapUv = ( clearcoatMapTransform * vec3( CLEARCOATMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	vClearcoatNormalMapUv = ( clearcoatNormalMapTransform * vec3( CLEARCOAT_NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	vClearcoatRoughnessMapUv = ( clearcoatRoughnessMapTransform * vec3( CLEARCOAT_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
	vIridescenceMapUv = ( iridescenceMapTransform * vec3( IRIDESCENCEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	vIridescenceThicknessMapUv = ( iridescenceThicknessMapTransform * vec3( IRIDESCENCE_THICKNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
	vSheenColorMapUv = ( sheenColorMapTransform * vec3( SHEEN_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	vSheenRoughnessMapUv = ( sheenRoughnessMapTransform * vec3( SHEEN_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULARMAP
	vSpecularMapUv = ( specularMapTransform * vec3( SPECULARMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
	vSpecularColorMapUv = ( specularColorMapTransform * vec3( SPECULAR_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	vSpecularIntensityMapUv = ( specularIntensityMapTransform * vec3( SPECULAR_INTENSITYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
	vTransmissionMapUv = ( transmissionMapTransform * vec3( TRANSMISSIONMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_THICKNESSMAP
	vThicknessMapUv = ( thicknessMapTransform * vec3( THICKNESSMAP_UV, 1 ) ).xy;
#endif`,Cv=`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`,Pv=`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,Iv=`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
	vec4 texColor = texture2D( t2D, vUv );
	#ifdef DECODE_VIDEO_TEXTURE
		texColor = vec4( mix( pow( texColor.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), texColor.rgb * 0.0773993808, vec3( lessThanEqual( texColor.rgb, vec3( 0.04045 ) ) ) ), texColor.w );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Lv=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,Dv=`uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <envmap_common_pars_fragment>
void main() {
	#ifdef ENVMAP_TYPE_PMREM
		vec4 texColor = textureLod( envMap, backgroundRotation * vWorldDirection, roughnessToMip( backgroundBlurriness ) );
	#else
		vec4 texColor = textureCube( envMap, backgroundRotation * vWorldDirection );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Nv=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,Uv=`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Fv=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vHighPrecisionZW = gl_Position.zw;
}`,Ov=`#if DEPTH_PACKING == 3200
	uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#if DEPTH_PACKING == 3200
		diffuseColor.a = opacity;
	#endif
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <logdepthbuf_fragment>
	#ifdef USE_REVERSED_DEPTH_BUFFER
		float fragCoordZ = vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ];
	#else
		float fragCoordZ = 0.5 * vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ] + 0.5;
	#endif
	#if DEPTH_PACKING == 3200
		gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );
	#elif DEPTH_PACKING == 3201
		gl_FragColor = packDepthToRGBA( fragCoordZ );
	#elif DEPTH_PACKING == 3202
		gl_FragColor = vec4( packDepthToRGB( fragCoordZ ), 1.0 );
	#elif DEPTH_PACKING == 3203
		gl_FragColor = vec4( packDepthToRG( fragCoordZ ), 0.0, 1.0 );
	#endif
}`,Bv=`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <worldpos_vertex>
	#include <clipping_planes_vertex>
	vWorldPosition = worldPosition.xyz;
}`,kv=`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	float dist = length( vWorldPosition - referencePosition );
	dist = ( dist - nearDistance ) / ( farDistance - nearDistance );
	dist = saturate( dist );
	gl_FragColor = vec4( dist, 0.0, 0.0, 1.0 );
}`,zv=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,Hv=`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Gv=`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	vLineDistance = scale * lineDistance;
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,Vv=`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	if ( mod( vLineDistance, totalSize ) > dashSize ) {
		discard;
	}
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,Wv=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinbase_vertex>
		#include <skinnormal_vertex>
		#include <defaultnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <fog_vertex>
}`,Xv=`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
	varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
	#else
		reflectedLight.indirectDiffuse += vec3( 1.0 );
	#endif
	#include <aomap_fragment>
	reflectedLight.indirectDiffuse *= diffuseColor.rgb;
	vec3 outgoingLight = reflectedLight.indirectDiffuse;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,qv=`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Yv=`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_lambert_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Zv=`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
	vViewPosition = - mvPosition.xyz;
}`,$v=`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	vec3 viewDir = normalize( vViewPosition );
	vec3 x = normalize( vec3( viewDir.z, 0.0, - viewDir.x ) );
	vec3 y = cross( viewDir, x );
	vec2 uv = vec2( dot( x, normal ), dot( y, normal ) ) * 0.495 + 0.5;
	#ifdef USE_MATCAP
		vec4 matcapColor = texture2D( matcap, uv );
	#else
		vec4 matcapColor = vec4( vec3( mix( 0.2, 0.8, uv.y ) ), 1.0 );
	#endif
	vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Jv=`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	vViewPosition = - mvPosition.xyz;
#endif
}`,Kv=`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 0.0, 0.0, 0.0, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	gl_FragColor = vec4( normalize( normal ) * 0.5 + 0.5, diffuseColor.a );
	#ifdef OPAQUE
		gl_FragColor.a = 1.0;
	#endif
}`,jv=`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Qv=`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_phong_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,tM=`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
	varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
#ifdef USE_TRANSMISSION
	vWorldPosition = worldPosition.xyz;
#endif
}`,eM=`#define STANDARD
#ifdef PHYSICAL
	#define IOR
	#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
	uniform float ior;
#endif
#ifdef USE_SPECULAR
	uniform float specularIntensity;
	uniform vec3 specularColor;
	#ifdef USE_SPECULAR_COLORMAP
		uniform sampler2D specularColorMap;
	#endif
	#ifdef USE_SPECULAR_INTENSITYMAP
		uniform sampler2D specularIntensityMap;
	#endif
#endif
#ifdef USE_CLEARCOAT
	uniform float clearcoat;
	uniform float clearcoatRoughness;
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
	uniform float diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		uniform sampler2D diffuseRoughnessMap;
	#endif
#endif
#ifdef USE_DISPERSION
	uniform float dispersion;
#endif
#ifdef USE_RETROREFLECTION
	uniform float retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	uniform float iridescence;
	uniform float iridescenceIOR;
	uniform float iridescenceThicknessMinimum;
	uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
	uniform vec3 sheenColor;
	uniform float sheenRoughness;
	#ifdef USE_SHEEN_COLORMAP
		uniform sampler2D sheenColorMap;
	#endif
	#ifdef USE_SHEEN_ROUGHNESSMAP
		uniform sampler2D sheenRoughnessMap;
	#endif
#endif
#ifdef USE_ANISOTROPY
	uniform vec2 anisotropyVector;
	#ifdef USE_ANISOTROPYMAP
		uniform sampler2D anisotropyMap;
	#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <roughnessmap_fragment>
	#include <metalnessmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <clearcoat_normal_fragment_begin>
	#include <clearcoat_normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
	#include <transmission_fragment>
	vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
	#ifdef USE_SHEEN
 
		outgoingLight = outgoingLight + sheenSpecularDirect + sheenSpecularIndirect;
 
 	#endif
	#ifdef USE_CLEARCOAT
		float dotNVcc = saturate( dot( geometryClearcoatNormal, geometryViewDir ) );
		vec3 Fcc = F_Schlick( material.clearcoatF0, material.clearcoatF90, dotNVcc );
		outgoingLight = outgoingLight * ( 1.0 - material.clearcoat * Fcc ) + ( clearcoatSpecularDirect + clearcoatSpecularIndirect ) * material.clearcoat;
	#endif
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,nM=`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,iM=`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_toon_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,sM=`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
	varying vec2 vUv;
	uniform mat3 uvTransform;
#endif
void main() {
	#ifdef USE_POINTS_UV
		vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	#endif
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	gl_PointSize = size;
	#ifdef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) gl_PointSize *= ( scale / - mvPosition.z );
	#endif
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <fog_vertex>
}`,rM=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_particle_fragment>
	#include <color_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,oM=`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,aM=`uniform vec3 color;
uniform float opacity;
#include <common>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
	#include <logdepthbuf_fragment>
	gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,lM=`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	vec4 mvPosition = modelViewMatrix[ 3 ];
	vec2 scale = vec2( length( modelMatrix[ 0 ].xyz ), length( modelMatrix[ 1 ].xyz ) );
	#ifndef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) scale *= - mvPosition.z;
	#endif
	vec2 alignedPosition = ( position.xy - ( center - vec2( 0.5 ) ) ) * scale;
	vec2 rotatedPosition;
	rotatedPosition.x = cos( rotation ) * alignedPosition.x - sin( rotation ) * alignedPosition.y;
	rotatedPosition.y = sin( rotation ) * alignedPosition.x + cos( rotation ) * alignedPosition.y;
	mvPosition.xy += rotatedPosition;
	gl_Position = projectionMatrix * mvPosition;
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,cM=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`,fe={alphahash_fragment:Ix,alphahash_pars_fragment:Lx,alphamap_fragment:Dx,alphamap_pars_fragment:Nx,alphatest_fragment:Ux,alphatest_pars_fragment:Fx,aomap_fragment:Ox,aomap_pars_fragment:Bx,batching_pars_vertex:kx,batching_vertex:zx,begin_vertex:Hx,beginnormal_vertex:Gx,bsdfs:Vx,iridescence_fragment:Wx,bumpmap_pars_fragment:Xx,clipping_planes_fragment:qx,clipping_planes_pars_fragment:Yx,clipping_planes_pars_vertex:Zx,clipping_planes_vertex:$x,color_fragment:Jx,color_pars_fragment:Kx,color_pars_vertex:jx,color_vertex:Qx,common:ty,defaultnormal_vertex:ey,displacementmap_pars_vertex:ny,displacementmap_vertex:iy,emissivemap_fragment:sy,emissivemap_pars_fragment:ry,colorspace_fragment:oy,colorspace_pars_fragment:ay,envmap_fragment:ly,envmap_common_pars_fragment:cy,envmap_pars_fragment:hy,envmap_pars_vertex:uy,envmap_physical_pars_fragment:Sy,envmap_vertex:fy,fog_vertex:dy,fog_pars_vertex:py,fog_fragment:my,fog_pars_fragment:gy,gradientmap_pars_fragment:_y,lightmap_pars_fragment:xy,lights_lambert_fragment:yy,lights_lambert_pars_fragment:vy,lights_pars_begin:My,lights_toon_fragment:by,lights_toon_pars_fragment:wy,lights_phong_fragment:Ey,lights_phong_pars_fragment:Ty,lights_physical_fragment:Ay,lights_physical_pars_fragment:Ry,lights_fragment_begin:Cy,lights_fragment_maps:Py,lights_fragment_end:Iy,lightprobes_pars_fragment:Ly,logdepthbuf_fragment:Dy,logdepthbuf_pars_fragment:Ny,logdepthbuf_pars_vertex:Uy,logdepthbuf_vertex:Fy,map_fragment:Oy,map_pars_fragment:By,map_particle_fragment:ky,map_particle_pars_fragment:zy,metalnessmap_fragment:Hy,metalnessmap_pars_fragment:Gy,morphinstance_vertex:Vy,morphcolor_vertex:Wy,morphnormal_vertex:Xy,morphtarget_pars_vertex:qy,morphtarget_vertex:Yy,normal_fragment_begin:Zy,normal_fragment_maps:$y,normal_pars_fragment:Jy,normal_pars_vertex:Ky,normal_vertex:jy,normalmap_pars_fragment:Qy,clearcoat_normal_fragment_begin:tv,clearcoat_normal_fragment_maps:ev,clearcoat_pars_fragment:nv,iridescence_pars_fragment:iv,opaque_fragment:sv,packing:rv,premultiplied_alpha_fragment:ov,project_vertex:av,dithering_fragment:lv,dithering_pars_fragment:cv,roughnessmap_fragment:hv,roughnessmap_pars_fragment:uv,shadowmap_pars_fragment:fv,shadowmap_pars_vertex:dv,shadowmap_vertex:pv,shadowmask_pars_fragment:mv,skinbase_vertex:gv,skinning_pars_vertex:_v,skinning_vertex:xv,skinnormal_vertex:yv,specularmap_fragment:vv,specularmap_pars_fragment:Mv,tonemapping_fragment:Sv,tonemapping_pars_fragment:bv,transmission_fragment:wv,transmission_pars_fragment:Ev,uv_pars_fragment:Tv,uv_pars_vertex:Av,uv_vertex:Rv,worldpos_vertex:Cv,background_vert:Pv,background_frag:Iv,backgroundCube_vert:Lv,backgroundCube_frag:Dv,cube_vert:Nv,cube_frag:Uv,depth_vert:Fv,depth_frag:Ov,distance_vert:Bv,distance_frag:kv,equirect_vert:zv,equirect_frag:Hv,linedashed_vert:Gv,linedashed_frag:Vv,meshbasic_vert:Wv,meshbasic_frag:Xv,meshlambert_vert:qv,meshlambert_frag:Yv,meshmatcap_vert:Zv,meshmatcap_frag:$v,meshnormal_vert:Jv,meshnormal_frag:Kv,meshphong_vert:jv,meshphong_frag:Qv,meshphysical_vert:tM,meshphysical_frag:eM,meshtoon_vert:nM,meshtoon_frag:iM,points_vert:sM,points_frag:rM,shadow_vert:oM,shadow_frag:aM,sprite_vert:lM,sprite_frag:cM},Dt={common:{diffuse:{value:new ae(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new ee},alphaMap:{value:null},alphaMapTransform:{value:new ee},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new ee}},envmap:{envMap:{value:null},envMapRotation:{value:new ee},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98},dfgLUT:{value:null}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new ee}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new ee}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new ee},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new ee},normalScale:{value:new It(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new ee},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new ee}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new ee}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new ee}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new ae(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},sunLights:{value:[],properties:{direction:{},color:{}}},sunLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},sunShadowMatrix:{value:[]},sunShadowCascade:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null},probesSH:{value:[]},probesMin:{value:[]},probesMax:{value:[]},probesResolution:{value:[]}},points:{diffuse:{value:new ae(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new ee},alphaTest:{value:0},uvTransform:{value:new ee}},sprite:{diffuse:{value:new ae(16777215)},opacity:{value:1},center:{value:new It(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new ee},alphaMap:{value:null},alphaMapTransform:{value:new ee},alphaTest:{value:0}}},ls={basic:{uniforms:Xn([Dt.common,Dt.specularmap,Dt.envmap,Dt.aomap,Dt.lightmap,Dt.fog]),vertexShader:fe.meshbasic_vert,fragmentShader:fe.meshbasic_frag},lambert:{uniforms:Xn([Dt.common,Dt.specularmap,Dt.envmap,Dt.aomap,Dt.lightmap,Dt.emissivemap,Dt.bumpmap,Dt.normalmap,Dt.displacementmap,Dt.fog,Dt.lights,{emissive:{value:new ae(0)},envMapIntensity:{value:1}}]),vertexShader:fe.meshlambert_vert,fragmentShader:fe.meshlambert_frag},phong:{uniforms:Xn([Dt.common,Dt.specularmap,Dt.envmap,Dt.aomap,Dt.lightmap,Dt.emissivemap,Dt.bumpmap,Dt.normalmap,Dt.displacementmap,Dt.fog,Dt.lights,{emissive:{value:new ae(0)},specular:{value:new ae(1118481)},shininess:{value:30},envMapIntensity:{value:1}}]),vertexShader:fe.meshphong_vert,fragmentShader:fe.meshphong_frag},standard:{uniforms:Xn([Dt.common,Dt.envmap,Dt.aomap,Dt.lightmap,Dt.emissivemap,Dt.bumpmap,Dt.normalmap,Dt.displacementmap,Dt.roughnessmap,Dt.metalnessmap,Dt.fog,Dt.lights,{emissive:{value:new ae(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:fe.meshphysical_vert,fragmentShader:fe.meshphysical_frag},toon:{uniforms:Xn([Dt.common,Dt.aomap,Dt.lightmap,Dt.emissivemap,Dt.bumpmap,Dt.normalmap,Dt.displacementmap,Dt.gradientmap,Dt.fog,Dt.lights,{emissive:{value:new ae(0)}}]),vertexShader:fe.meshtoon_vert,fragmentShader:fe.meshtoon_frag},matcap:{uniforms:Xn([Dt.common,Dt.bumpmap,Dt.normalmap,Dt.displacementmap,Dt.fog,{matcap:{value:null}}]),vertexShader:fe.meshmatcap_vert,fragmentShader:fe.meshmatcap_frag},points:{uniforms:Xn([Dt.points,Dt.fog]),vertexShader:fe.points_vert,fragmentShader:fe.points_frag},dashed:{uniforms:Xn([Dt.common,Dt.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:fe.linedashed_vert,fragmentShader:fe.linedashed_frag},depth:{uniforms:Xn([Dt.common,Dt.displacementmap]),vertexShader:fe.depth_vert,fragmentShader:fe.depth_frag},normal:{uniforms:Xn([Dt.common,Dt.bumpmap,Dt.normalmap,Dt.displacementmap,{opacity:{value:1}}]),vertexShader:fe.meshnormal_vert,fragmentShader:fe.meshnormal_frag},sprite:{uniforms:Xn([Dt.sprite,Dt.fog]),vertexShader:fe.sprite_vert,fragmentShader:fe.sprite_frag},background:{uniforms:{uvTransform:{value:new ee},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:fe.background_vert,fragmentShader:fe.background_frag},backgroundCube:{uniforms:{envMap:{value:null},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new ee}},vertexShader:fe.backgroundCube_vert,fragmentShader:fe.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:fe.cube_vert,fragmentShader:fe.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:fe.equirect_vert,fragmentShader:fe.equirect_frag},distance:{uniforms:Xn([Dt.common,Dt.displacementmap,{referencePosition:{value:new F},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:fe.distance_vert,fragmentShader:fe.distance_frag},shadow:{uniforms:Xn([Dt.lights,Dt.fog,{color:{value:new ae(0)},opacity:{value:1}}]),vertexShader:fe.shadow_vert,fragmentShader:fe.shadow_frag}};ls.physical={uniforms:Xn([ls.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new ee},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new ee},clearcoatNormalScale:{value:new It(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new ee},diffuseRoughness:{value:0},diffuseRoughnessMap:{value:null},diffuseRoughnessMapTransform:{value:new ee},dispersion:{value:0},retroreflectivity:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new ee},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new ee},sheen:{value:0},sheenColor:{value:new ae(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new ee},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new ee},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new ee},transmissionSamplerSize:{value:new It},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new ee},attenuationDistance:{value:0},attenuationColor:{value:new ae(0)},specularColor:{value:new ae(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new ee},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new ee},anisotropyVector:{value:new It},anisotropyMap:{value:null},anisotropyMapTransform:{value:new ee}}]),vertexShader:fe.meshphysical_vert,fragmentShader:fe.meshphysical_frag};var ch={r:0,b:0,g:0},hM=new ze,Jm=new ee;Jm.set(-1,0,0,0,1,0,0,0,1);function uM(i,t,e,n,s,r){let o=new ae(0),a=s===!0?0:1,l,c,h=null,u=0,f=null;function d(_){let b=_.isScene===!0?_.background:null;if(b&&b.isTexture){let M=_.backgroundBlurriness>0;b=t.get(b,M)}return b}function p(_){let b=!1,M=d(_);M===null?g(o,a):M&&M.isColor&&(g(M,1),b=!0);let R=i.xr.getEnvironmentBlendMode();R==="additive"?e.buffers.color.setClear(0,0,0,1,r):R==="alpha-blend"&&e.buffers.color.setClear(0,0,0,0,r),(i.autoClear||b)&&(e.buffers.depth.setTest(!0),e.buffers.depth.setMask(!0),e.buffers.color.setMask(!0),i.clear(i.autoClearColor,i.autoClearDepth,i.autoClearStencil))}function v(_,b){let M=d(b);M&&M.isCubeTexture?(c===void 0&&(c=new _e(new zi(1,1,1),new ss({name:"BackgroundCubeMaterial",uniforms:yr(ls.backgroundCube.uniforms),vertexShader:ls.backgroundCube.vertexShader,fragmentShader:ls.backgroundCube.fragmentShader,side:ti,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute("normal"),c.geometry.deleteAttribute("uv"),c.onBeforeRender=function(R,T,x){this.matrixWorld.copyPosition(x.matrixWorld)},Object.defineProperty(c.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),n.update(c)),c.material.uniforms.envMap.value=M,c.material.uniforms.backgroundBlurriness.value=b.backgroundBlurriness,c.material.uniforms.backgroundIntensity.value=b.backgroundIntensity,c.material.uniforms.backgroundRotation.value.setFromMatrix4(hM.makeRotationFromEuler(b.backgroundRotation)).transpose(),M.isRenderTargetTexture===!1&&c.material.uniforms.backgroundRotation.value.premultiply(Jm),c.material.toneMapped=ve.getTransfer(M.colorSpace)!==Le,(h!==M||u!==M.version||f!==i.toneMapping)&&(c.material.needsUpdate=!0,h=M,u=M.version,f=i.toneMapping),c.layers.enableAll(),_.unshift(c,c.geometry,c.material,0,0,null)):M&&M.isTexture&&(l===void 0&&(l=new _e(new ya(2,2),new ss({name:"BackgroundMaterial",uniforms:yr(ls.background.uniforms),vertexShader:ls.background.vertexShader,fragmentShader:ls.background.fragmentShader,side:tr,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute("normal"),Object.defineProperty(l.material,"map",{get:function(){return this.uniforms.t2D.value}}),n.update(l)),l.material.uniforms.t2D.value=M,l.material.uniforms.backgroundIntensity.value=b.backgroundIntensity,l.material.toneMapped=ve.getTransfer(M.colorSpace)!==Le,M.matrixAutoUpdate===!0&&M.updateMatrix(),l.material.uniforms.uvTransform.value.copy(M.matrix),(h!==M||u!==M.version||f!==i.toneMapping)&&(l.material.needsUpdate=!0,h=M,u=M.version,f=i.toneMapping),l.layers.enableAll(),_.unshift(l,l.geometry,l.material,0,0,null))}function g(_,b){_.getRGB(ch,Tf(i)),e.buffers.color.setClear(ch.r,ch.g,ch.b,b,r)}function m(){c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0),l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0)}return{getClearColor:function(){return o},setClearColor:function(_,b=1){o.set(_),a=b,g(o,a)},getClearAlpha:function(){return a},setClearAlpha:function(_){a=_,g(o,a)},render:p,addToRenderList:v,dispose:m}}function fM(i,t){let e=i.getParameter(i.MAX_VERTEX_ATTRIBS),n={},s=f(null),r=s,o=!1;function a(L,k,H,N,W){let Y=!1,V=u(L,N,H,k);r!==V&&(r=V,c(r.object)),Y=d(L,N,H,W),Y&&p(L,N,H,W),W!==null&&t.update(W,i.ELEMENT_ARRAY_BUFFER),(Y||o)&&(o=!1,M(L,k,H,N),W!==null&&i.bindBuffer(i.ELEMENT_ARRAY_BUFFER,t.get(W).buffer))}function l(){return i.createVertexArray()}function c(L){return i.bindVertexArray(L)}function h(L){return i.deleteVertexArray(L)}function u(L,k,H,N){let W=N.wireframe===!0,Y=n[k.id];Y===void 0&&(Y={},n[k.id]=Y);let V=L.isInstancedMesh===!0?L.id:0,ct=Y[V];ct===void 0&&(ct={},Y[V]=ct);let J=ct[H.id];J===void 0&&(J={},ct[H.id]=J);let j=J[W];return j===void 0&&(j=f(l()),J[W]=j),j}function f(L){let k=[],H=[],N=[];for(let W=0;W<e;W++)k[W]=0,H[W]=0,N[W]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:k,enabledAttributes:H,attributeDivisors:N,object:L,attributes:{},index:null}}function d(L,k,H,N){let W=r.attributes,Y=k.attributes,V=0,ct=H.getAttributes();for(let J in ct)if(ct[J].location>=0){let st=W[J],ft=Y[J];if(ft===void 0&&(J==="instanceMatrix"&&L.instanceMatrix&&(ft=L.instanceMatrix),J==="instanceColor"&&L.instanceColor&&(ft=L.instanceColor)),st===void 0||st.attribute!==ft||ft&&st.data!==ft.data)return!0;V++}return r.attributesNum!==V||r.index!==N}function p(L,k,H,N){let W={},Y=k.attributes,V=0,ct=H.getAttributes();for(let J in ct)if(ct[J].location>=0){let st=Y[J];st===void 0&&(J==="instanceMatrix"&&L.instanceMatrix&&(st=L.instanceMatrix),J==="instanceColor"&&L.instanceColor&&(st=L.instanceColor));let ft={};ft.attribute=st,st&&st.data&&(ft.data=st.data),W[J]=ft,V++}r.attributes=W,r.attributesNum=V,r.index=N}function v(){let L=r.newAttributes;for(let k=0,H=L.length;k<H;k++)L[k]=0}function g(L){m(L,0)}function m(L,k){let H=r.newAttributes,N=r.enabledAttributes,W=r.attributeDivisors;H[L]=1,N[L]===0&&(i.enableVertexAttribArray(L),N[L]=1),W[L]!==k&&(i.vertexAttribDivisor(L,k),W[L]=k)}function _(){let L=r.newAttributes,k=r.enabledAttributes;for(let H=0,N=k.length;H<N;H++)k[H]!==L[H]&&(i.disableVertexAttribArray(H),k[H]=0)}function b(L,k,H,N,W,Y,V){V===!0?i.vertexAttribIPointer(L,k,H,W,Y):i.vertexAttribPointer(L,k,H,N,W,Y)}function M(L,k,H,N){v();let W=N.attributes,Y=H.getAttributes(),V=k.defaultAttributeValues;for(let ct in Y){let J=Y[ct];if(J.location>=0){let j=W[ct];if(j===void 0&&(ct==="instanceMatrix"&&L.instanceMatrix&&(j=L.instanceMatrix),ct==="instanceColor"&&L.instanceColor&&(j=L.instanceColor)),j!==void 0){let st=j.normalized,ft=j.itemSize,ut=t.get(j);if(ut===void 0)continue;let Q=ut.buffer,mt=ut.type,xt=ut.bytesPerElement,At=mt===i.INT||mt===i.UNSIGNED_INT||j.gpuType===Tc;if(j.isInterleavedBufferAttribute){let St=j.data,Wt=St.isInterleavedBuffer===!0?St.stride:St.itemSize,re=j.offset;if(St.isInstancedInterleavedBuffer||St.isInstancedBufferAttribute){for(let Gt=0;Gt<J.locationSize;Gt++)m(J.location+Gt,St.meshPerAttribute);L.isInstancedMesh!==!0&&N._maxInstanceCount===void 0&&(N._maxInstanceCount=St.meshPerAttribute*St.count)}else for(let Gt=0;Gt<J.locationSize;Gt++)g(J.location+Gt);i.bindBuffer(i.ARRAY_BUFFER,Q);for(let Gt=0;Gt<J.locationSize;Gt++)b(J.location+Gt,ft/J.locationSize,mt,st,Wt*xt,(re+ft/J.locationSize*Gt)*xt,At)}else{if(j.isInstancedBufferAttribute){for(let St=0;St<J.locationSize;St++)m(J.location+St,j.meshPerAttribute);L.isInstancedMesh!==!0&&N._maxInstanceCount===void 0&&(N._maxInstanceCount=j.meshPerAttribute*j.count)}else for(let St=0;St<J.locationSize;St++)g(J.location+St);i.bindBuffer(i.ARRAY_BUFFER,Q);for(let St=0;St<J.locationSize;St++)b(J.location+St,ft/J.locationSize,mt,st,ft*xt,ft/J.locationSize*St*xt,At)}}else if(V!==void 0){let st=V[ct];if(st!==void 0)switch(st.length){case 2:i.vertexAttrib2fv(J.location,st);break;case 3:i.vertexAttrib3fv(J.location,st);break;case 4:i.vertexAttrib4fv(J.location,st);break;default:i.vertexAttrib1fv(J.location,st)}}}}_()}function R(){U();for(let L in n){let k=n[L];for(let H in k){let N=k[H];for(let W in N){let Y=N[W];for(let V in Y)h(Y[V].object),delete Y[V];delete N[W]}}delete n[L]}}function T(L){if(n[L.id]===void 0)return;let k=n[L.id];for(let H in k){let N=k[H];for(let W in N){let Y=N[W];for(let V in Y)h(Y[V].object),delete Y[V];delete N[W]}}delete n[L.id]}function x(L){for(let k in n){let H=n[k];for(let N in H){let W=H[N];if(W[L.id]===void 0)continue;let Y=W[L.id];for(let V in Y)h(Y[V].object),delete Y[V];delete W[L.id]}}}function w(L){for(let k in n){let H=n[k],N=L.isInstancedMesh===!0?L.id:0,W=H[N];if(W!==void 0){for(let Y in W){let V=W[Y];for(let ct in V)h(V[ct].object),delete V[ct];delete W[Y]}delete H[N],Object.keys(H).length===0&&delete n[k]}}}function U(){P(),o=!0,r!==s&&(r=s,c(r.object))}function P(){s.geometry=null,s.program=null,s.wireframe=!1}return{setup:a,reset:U,resetDefaultState:P,dispose:R,releaseStatesOfGeometry:T,releaseStatesOfObject:w,releaseStatesOfProgram:x,initAttributes:v,enableAttribute:g,disableUnusedAttributes:_}}function dM(i,t,e){let n;function s(l){n=l}function r(l,c){i.drawArrays(n,l,c),e.update(c,n,1)}function o(l,c,h){h!==0&&(i.drawArraysInstanced(n,l,c,h),e.update(c,n,h))}function a(l,c,h){if(h===0)return;t.get("WEBGL_multi_draw").multiDrawArraysWEBGL(n,l,0,c,0,h);let f=0;for(let d=0;d<h;d++)f+=c[d];e.update(f,n,1)}this.setMode=s,this.render=r,this.renderInstances=o,this.renderMultiDraw=a}function pM(i,t,e,n){let s;function r(){if(s!==void 0)return s;if(t.has("EXT_texture_filter_anisotropic")===!0){let x=t.get("EXT_texture_filter_anisotropic");s=i.getParameter(x.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else s=0;return s}function o(x){return!(x!==Wi&&n.convert(x)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_FORMAT))}function a(x){let w=x===Vi&&(t.has("EXT_color_buffer_half_float")||t.has("EXT_color_buffer_float"));return!(x!==ri&&x!==Gi&&!w&&n.convert(x)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_TYPE))}function l(x){if(x==="highp"){if(i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.HIGH_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.HIGH_FLOAT).precision>0)return"highp";x="mediump"}return x==="mediump"&&i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.MEDIUM_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.MEDIUM_FLOAT).precision>0?"mediump":"lowp"}let c=e.precision!==void 0?e.precision:"highp",h=l(c);h!==c&&(Zt("WebGLRenderer:",c,"not supported, using",h,"instead."),c=h);let u=e.reversedDepthBuffer===!0&&t.has("EXT_clip_control"),f=e.logarithmicDepthBuffer===!0&&u===!1;e.reversedDepthBuffer===!0&&u===!1&&Zt("WebGLRenderer: Unable to use reversed depth buffer due to missing EXT_clip_control extension. Fallback to default depth buffer."),e.logarithmicDepthBuffer===!0&&u===!0&&Zt("WebGLRenderer: Logarithmic depth buffer is ignored when reversed depth buffer is enabled.");let d=i.getParameter(i.MAX_TEXTURE_IMAGE_UNITS),p=i.getParameter(i.MAX_VERTEX_TEXTURE_IMAGE_UNITS),v=i.getParameter(i.MAX_TEXTURE_SIZE),g=i.getParameter(i.MAX_CUBE_MAP_TEXTURE_SIZE),m=i.getParameter(i.MAX_VERTEX_ATTRIBS),_=i.getParameter(i.MAX_VERTEX_UNIFORM_VECTORS),b=i.getParameter(i.MAX_VARYING_VECTORS),M=i.getParameter(i.MAX_FRAGMENT_UNIFORM_VECTORS),R=i.getParameter(i.MAX_SAMPLES),T=i.getParameter(i.SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:r,getMaxPrecision:l,textureFormatReadable:o,textureTypeReadable:a,precision:c,logarithmicDepthBuffer:f,reversedDepthBuffer:u,maxTextures:d,maxVertexTextures:p,maxTextureSize:v,maxCubemapSize:g,maxAttributes:m,maxVertexUniforms:_,maxVaryings:b,maxFragmentUniforms:M,maxSamples:R,samples:T}}function mM(i){let t=this,e=null,n=0,s=!1,r=!1,o=new mi,a=new ee,l={value:null,needsUpdate:!1};this.uniform=l,this.numPlanes=0,this.numIntersection=0,this.init=function(u,f){let d=u.length!==0||f||n!==0||s;return s=f,n=u.length,d},this.beginShadows=function(){r=!0,h(null)},this.endShadows=function(){r=!1},this.setGlobalState=function(u,f){e=h(u,f,0)},this.setState=function(u,f,d){let p=u.clippingPlanes,v=u.clipIntersection,g=u.clipShadows,m=i.get(u);if(!s||p===null||p.length===0||r&&!g)r?h(null):c();else{let _=r?0:n,b=_*4,M=m.clippingState||null;l.value=M,M=h(p,f,b,d);for(let R=0;R!==b;++R)M[R]=e[R];m.clippingState=M,this.numIntersection=v?this.numPlanes:0,this.numPlanes+=_}};function c(){l.value!==e&&(l.value=e,l.needsUpdate=n>0),t.numPlanes=n,t.numIntersection=0}function h(u,f,d,p){let v=u!==null?u.length:0,g=null;if(v!==0){if(g=l.value,p!==!0||g===null){let m=d+v*4,_=f.matrixWorldInverse;a.getNormalMatrix(_),(g===null||g.length<m)&&(g=new Float32Array(m));for(let b=0,M=d;b!==v;++b,M+=4)o.copy(u[b]).applyMatrix4(_,a),o.normal.toArray(g,M),g[M+3]=o.constant}l.value=g,l.needsUpdate=!0}return t.numPlanes=v,t.numIntersection=0,g}}var za=class extends _i{constructor(t=1,e={}){super(t,t,e),this.isWebGLCubeRenderTarget=!0;let n={width:t,height:t,depth:1},s=[n,n,n,n,n,n];this.texture=new fa(s),this._setTextureOptions(e),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(t,e){this.texture.type=e.type,this.texture.colorSpace=e.colorSpace,this.texture.generateMipmaps=e.generateMipmaps,this.texture.minFilter=e.minFilter,this.texture.magFilter=e.magFilter;let n={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},s=new zi(5,5,5),r=new ss({name:"CubemapFromEquirect",uniforms:yr(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:ti,blending:mr});r.uniforms.tEquirect.value=e;let o=new _e(s,r),a=e.minFilter;return e.minFilter===Ps&&(e.minFilter=jn),new ao(1,10,this).update(t,o),e.minFilter=a,o.geometry.dispose(),o.material.dispose(),this}clear(t,e=!0,n=!0,s=!0){let r=t.getRenderTarget();for(let o=0;o<6;o++)t.setRenderTarget(this,o),t.clear(e,n,s);t.setRenderTarget(r)}},Rm=256,gM=3,_M=20,Km=256,jm=16,xM=3,yM=new F,vM=new ae,uh=class i{constructor(t){this._renderer=t,this._cubeSize=0,this._sourceTarget=null,this._cubeCamera=new ao(1,10,null),this._boxMesh=new _e(new zi(5,5,5),null),this._cubemapMaterial=null,this._equirectMaterial=null,this._blurMaterial=null,this._ggxMaterial=null,this._integrationMaterial=null}fromScene(t,e=0,n=.1,s=100,r={}){let{size:o=256,position:a=yM}=r,l=this._renderer;this._setSize(o);let c=this._allocateTarget(),h=this._getSourceTarget(!0);e>0&&(h.texture.mipmapsAutoUpdate=!1);let u=l.autoClear,f=l.autoClearColor,d=l.autoClearDepth,p=l.autoClearStencil,v=t.background;l.autoClear=!0,l.autoClearColor=!0,l.autoClearDepth=!0,l.autoClearStencil=!0,v===null&&(t.background=l.getClearColor(vM));let g=new ao(n,s,h);return g.position.copy(a),g.update(l,t),l.autoClear=u,l.autoClearColor=f,l.autoClearDepth=d,l.autoClearStencil=p,t.background=v,e>0&&(h.texture.mipmapsAutoUpdate=!0,this._blur(c,e)),this._applyPMREM(c),c}fromEquirectangular(t,e=null){return this._fromTexture(t,e)}fromCubemap(t,e=null){return this._fromTexture(t,e)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=Im(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=Pm(),this._compileMaterial(this._equirectMaterial))}dispose(){this._sourceTarget!==null&&this._sourceTarget.dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose(),this._blurMaterial!==null&&this._blurMaterial.dispose(),this._ggxMaterial!==null&&this._ggxMaterial.dispose(),this._integrationMaterial!==null&&this._integrationMaterial.dispose(),this._boxMesh.geometry.dispose()}static lodToRoughness(t,e){return e>0?1-Math.sqrt(1-t/e):0}_setSize(t){this._cubeSize=Math.max(Rm,Sf(t))}_fromTexture(t,e){t.mapping===_r||t.mapping===fo?this._setSize(t.image.length===0?Rm:t.image[0].width||t.image[0].image.width):this._setSize(t.image.width/4);let n=e||this._allocateTarget();return this._textureToCubemap(t),this._applyPMREM(n),n}_allocateTarget(){let t=this._cubeSize,e=Cm(t,!1,!1),n=Math.log2(t)-gM;for(let s=0;s<=n;s++)e.texture.mipmaps.push({width:t>>s,height:t>>s});return e.texture.name="PMREM",e.texture.isPMREMTexture=!0,e}_getSourceTarget(t=!1){let e=this._cubeSize,n=this._sourceTarget;return(n===null||n.width!==e||t&&n.depthBuffer===!1)&&(n!==null&&n.dispose(),this._sourceTarget=Cm(e,!0,t)),this._sourceTarget}_compileMaterial(t){this._boxMesh.material=t,this._renderer.compile(this._boxMesh,this._cubeCamera.children[0])}_renderCube(t,e,n){let s=this._boxMesh,r=this._cubeCamera;s.material=n,r.renderTarget=t,r.activeMipmapLevel=e;let o=t.width>>e;t.viewport.set(0,0,o,o),r.update(this._renderer,s),t.viewport.set(0,0,t.width,t.height)}_textureToCubemap(t){let e;t.mapping===_r||t.mapping===fo?(this._cubemapMaterial===null&&(this._cubemapMaterial=Im()),e=this._cubemapMaterial,e.uniforms.flipEnvMap.value=t.isRenderTargetTexture===!1?-1:1):(this._equirectMaterial===null&&(this._equirectMaterial=Pm()),e=this._equirectMaterial),e.uniforms.envMap.value=t,this._renderCube(this._getSourceTarget(),0,e)}_applyPMREM(t){this._ggxMaterial===null&&(this._ggxMaterial=MM(),this._integrationMaterial=SM());let e=this._cubeSize,n=t.texture.mipmaps.length-1,s=this._ggxMaterial.uniforms;s.envMap.value=this._sourceTarget.texture;let r=this._integrationMaterial.uniforms;r.envMap.value=this._sourceTarget.texture,r.sourceLod.value=Math.log2(e/jm);for(let o=0;o<=n;o++){let a=i.lodToRoughness(o,n);if(o>n-xM)r.roughness.value=a,this._renderCube(t,o,this._integrationMaterial);else{let l=a>0?Math.log2(e)+.5*Math.log2(6/(Km*Math.pow(a,4)))+.5:0;s.roughness.value=a,s.lodBias.value=l,this._renderCube(t,o,this._ggxMaterial)}}}_blur(t,e){this._blurMaterial===null&&(this._blurMaterial=bM());let n=this._blurMaterial,s=n.uniforms,r=this._sourceTarget;s.sigma.value=Math.min(e,Math.PI)/Math.SQRT2,s.envMap.value=r.texture,this._renderCube(t,0,n),s.envMap.value=t.texture,this._renderCube(r,0,n)}};function Cm(i,t,e){return new za(i,{minFilter:Ps,generateMipmaps:t,type:Vi,colorSpace:ra,depthBuffer:e})}function Ha(i,t,e){return new ss({name:i,uniforms:t,vertexShader:fe.cube_vert,fragmentShader:e,side:ti,blending:mr,depthTest:!1,depthWrite:!1})}function MM(){return Ha("PMREMGGXConvolution",{envMap:{value:null},roughness:{value:0},lodBias:{value:0}},`

		#define GGX_SAMPLES ${Km}u

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float lodBias;

		#include <common>

		// Van der Corput radical inverse
		float radicalInverse_VdC( uint bits ) {

			bits = ( bits << 16u ) | ( bits >> 16u );
			bits = ( ( bits & 0x55555555u ) << 1u ) | ( ( bits & 0xAAAAAAAAu ) >> 1u );
			bits = ( ( bits & 0x33333333u ) << 2u ) | ( ( bits & 0xCCCCCCCCu ) >> 2u );
			bits = ( ( bits & 0x0F0F0F0Fu ) << 4u ) | ( ( bits & 0xF0F0F0F0u ) >> 4u );
			bits = ( ( bits & 0x00FF00FFu ) << 8u ) | ( ( bits & 0xFF00FF00u ) >> 8u );
			return float( bits ) * 2.3283064365386963e-10; // / 0x100000000

		}

		// Hammersley sequence
		vec2 hammersley( uint i, uint N ) {

			return vec2( float( i ) / float( N ), radicalInverse_VdC( i ) );

		}

		void main() {

			vec3 N = normalize( vWorldDirection );

			// For very low roughness, just sample the environment directly
			if ( roughness < 0.001 ) {

				gl_FragColor = vec4( textureLod( envMap, N, 0.0 ).rgb, 1.0 );
				return;

			}

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			// Tangent space basis for VNDF sampling
			vec3 up = abs( N.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, N ) );
			vec3 bitangent = cross( N, tangent );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			for ( uint i = 0u; i < GGX_SAMPLES; i ++ ) {

				vec2 Xi = hammersley( i, GGX_SAMPLES );

				// With V = N, sample the reflected direction directly.
				float invQ = 1.0 / ( 1.0 - Xi.x + alpha2 * Xi.x );
				float NdotL = ( 1.0 - Xi.x - alpha2 * Xi.x ) * invQ;

				if ( NdotL > 0.0 ) {

					float phi = 2.0 * PI * Xi.y;
					float sinTheta = 2.0 * alpha * sqrt( Xi.x * ( 1.0 - Xi.x ) ) * invQ;
					vec3 L = N * NdotL + ( tangent * cos( phi ) + bitangent * sin( phi ) ) * sinTheta;

					// Match the source mip to the sample's solid angle. The terms
					// independent of the sample are precomputed in lodBias.
					float d = alpha2 * invQ;
					float lod = max( log2( d ) + lodBias, 0.0 );

					// Weight by NdotL for the split-sum approximation
					prefilteredColor += textureLod( envMap, L, lod ).rgb * NdotL;
					totalWeight += NdotL;

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function SM(){return Ha("PMREMGGXIntegration",{envMap:{value:null},roughness:{value:0},sourceLod:{value:0},sourceSize:{value:jm}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float sourceLod;
		uniform int sourceSize;

		void main() {

			vec3 N = normalize( vWorldDirection );

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			float texelSize = 2.0 / float( sourceSize );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			// Pair opposite texels: only the one in N's hemisphere contributes.
			for ( int face = 0; face < 3; face ++ ) {

				for ( int y = 0; y < sourceSize; y ++ ) {

					for ( int x = 0; x < sourceSize; x ++ ) {

						vec2 uv = ( vec2( x, y ) + 0.5 ) * texelSize - 1.0;
						vec3 texelDirection = face == 0 ? vec3( 1.0, uv ) : ( face == 1 ? vec3( uv.x, 1.0, uv.y ) : vec3( uv, 1.0 ) );

						float invDistance = inversesqrt( 1.0 + dot( uv, uv ) );
						float NdotL = dot( N, texelDirection );
						texelDirection *= NdotL < 0.0 ? - 1.0 : 1.0;
						NdotL = abs( NdotL ) * invDistance;

						// With V = N, NdotH squared is ( 1 + NdotL ) / 2. Common factors
						// in the GGX distribution and texel solid angle cancel when normalized.
						float d = 1.0 + alpha2 + ( alpha2 - 1.0 ) * NdotL;
						float weight = NdotL * invDistance * invDistance * invDistance / ( d * d );

						prefilteredColor += textureLod( envMap, texelDirection, sourceLod ).rgb * weight;
						totalWeight += weight;

					}

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function bM(){return Ha("PMREMSphericalGaussianBlur",{envMap:{value:null},sigma:{value:0}},`

		#define SAMPLES ${_M}
		#define GOLDEN_ANGLE 2.39996322973

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float sigma;

		#include <common>

		void main() {

			vec3 outputDirection = normalize( vWorldDirection );

			vec3 up = abs( outputDirection.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, outputDirection ) );
			vec3 bitangent = cross( outputDirection, tangent );

			// Truncate the kernel at three standard deviations or at the antipode.
			float thetaMax = min( 3.0 * sigma, PI );
			float truncation = 1.0 - exp( - 0.5 * thetaMax * thetaMax / ( sigma * sigma ) );

			vec3 accumColor = vec3( 0.0 );
			float accumWeight = 0.0;

			for ( int i = 0; i < SAMPLES; i ++ ) {

				// Stratified inverse-CDF sampling of the Gaussian, placed on a golden-angle spiral.
				float stratum = ( float( i ) + 0.5 ) / float( SAMPLES );
				float theta = sigma * sqrt( - 2.0 * log( 1.0 - stratum * truncation ) );
				float phi = float( i ) * GOLDEN_ANGLE;

				vec3 offset = cos( phi ) * tangent + sin( phi ) * bitangent;
				vec3 sampleDirection = cos( theta ) * outputDirection + sin( theta ) * offset;

				// Correct the planar sample density to solid angle.
				float weight = sin( theta ) / theta;

				accumColor += weight * textureLod( envMap, sampleDirection, 0.0 ).rgb;
				accumWeight += weight;

			}

			gl_FragColor = vec4( accumColor / accumWeight, 1.0 );

		}
	`)}function Pm(){return Ha("PMREMEquirectangularToCubemap",{envMap:{value:null}},`

		varying vec3 vWorldDirection;

		uniform sampler2D envMap;

		#include <common>

		void main() {

			// Average four subpixel samples to preserve small, bright features.
			vec3 direction = normalize( vWorldDirection );
			vec3 dx = dFdx( direction ) * 0.25;
			vec3 dy = dFdy( direction ) * 0.25;

			vec3 color = textureLod( envMap, equirectUv( normalize( direction - dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction - dx + dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx + dy ) ), 0.0 ).rgb;
			gl_FragColor = vec4( color * 0.25, 1.0 );

		}
	`)}function Im(){return Ha("PMREMCubemapToCubemap",{envMap:{value:null},flipEnvMap:{value:-1}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float flipEnvMap;

		void main() {

			gl_FragColor = vec4( textureCube( envMap, vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) ).rgb, 1.0 );

		}
	`)}function wM(i){let t=new WeakMap,e=new WeakMap,n=null;function s(f,d=!1){return f==null?null:d?o(f):r(f)}function r(f){if(f&&f.isTexture){let d=f.mapping;if(d===bc||d===wc)if(t.has(f)){let p=t.get(f).texture;return a(p,f.mapping)}else{let p=f.image;if(p&&p.height>0){let v=new za(p.height);return v.fromEquirectangularTexture(i,f),t.set(f,v),f.addEventListener("dispose",c),a(v.texture,f.mapping)}else return null}}return f}function o(f){if(f&&f.isTexture&&f.isPMREMTexture!==!0){let d=f.mapping,p=d===bc||d===wc,v=d===_r||d===fo;if(p||v){let g=e.get(f),m=g!==void 0?g.texture.pmremVersion:0;if(f.isRenderTargetTexture&&f.pmremVersion!==m)return n===null&&(n=new uh(i)),g=p?n.fromEquirectangular(f,g):n.fromCubemap(f,g),g.texture.pmremVersion=f.pmremVersion,e.set(f,g),g.texture;if(g!==void 0)return g.texture;{let _=f.image;return p&&_&&_.height>0||v&&_&&l(_)?(n===null&&(n=new uh(i)),g=p?n.fromEquirectangular(f):n.fromCubemap(f),g.texture.pmremVersion=f.pmremVersion,e.set(f,g),f.addEventListener("dispose",h),g.texture):null}}}return f}function a(f,d){return d===bc?f.mapping=_r:d===wc&&(f.mapping=fo),f}function l(f){let d=0,p=6;for(let v=0;v<p;v++)f[v]!==void 0&&d++;return d===p}function c(f){let d=f.target;d.removeEventListener("dispose",c);let p=t.get(d);p!==void 0&&(t.delete(d),p.dispose())}function h(f){let d=f.target;d.removeEventListener("dispose",h);let p=e.get(d);p!==void 0&&(e.delete(d),p.dispose())}function u(){t=new WeakMap,e=new WeakMap,n!==null&&(n.dispose(),n=null)}return{get:s,dispose:u}}function EM(i){let t={};function e(n){if(t[n]!==void 0)return t[n];let s=i.getExtension(n);return t[n]=s,s}return{has:function(n){return e(n)!==null},init:function(){e("EXT_color_buffer_float"),e("WEBGL_clip_cull_distance"),e("OES_texture_float_linear"),e("EXT_color_buffer_half_float"),e("WEBGL_multisampled_render_to_texture"),e("WEBGL_render_shared_exponent")},get:function(n){let s=e(n);return s===null&&ta("WebGLRenderer: "+n+" extension not supported."),s}}}function TM(i,t,e,n){let s={},r=new WeakMap,o=new FinalizationRegistry(p=>delete s[p]);function a(p){l(p.target)}function l(p){p.index!==null&&t.remove(p.index);for(let g in p.attributes)t.remove(p.attributes[g]);p.removeEventListener("dispose",a),delete s[p.id],o.unregister(p);let v=r.get(p);v&&(t.remove(v),r.delete(p)),n.releaseStatesOfGeometry(p),p.isInstancedBufferGeometry===!0&&delete p._maxInstanceCount,e.memory.geometries--}function c(p,v){return s[v.id]!==void 0||(v.addEventListener("dispose",a),s[v.id]=new WeakRef(v),o.register(v,v.id,v),e.memory.geometries++),v}function h(p){let v=p.attributes;for(let g in v)t.update(v[g],i.ARRAY_BUFFER)}function u(p){let v=p.index,g=p.attributes.position,m=0;if(g===void 0)return;let _=v!==null?v.array.length:g.array.length/3-1,b=g.count>=65535?ua:ha,M=new b(Math.ceil(_/3)*6,1),R=M.array;if(v!==null){let x=v.array;m=v.version;for(let w=0,U=0;w<_;w+=3){let P=x[w+0],L=x[w+1],k=x[w+2];R[U++]=P,R[U++]=L,R[U++]=L,R[U++]=k,R[U++]=k,R[U++]=P}}else{m=g.version;for(let x=0,w=0;x<_;x+=3){let U=x+0,P=x+1,L=x+2;R[w++]=U,R[w++]=P,R[w++]=P,R[w++]=L,R[w++]=L,R[w++]=U}}M.version=m;let T=r.get(p);T&&t.remove(T),r.set(p,M)}function f(p){let v=r.get(p);if(v){let g=p.index;g!==null&&v.version<g.version&&u(p)}else u(p);return r.get(p)}function d(){for(let p in s){let v=s[p].deref();v!==void 0&&l(v)}}return{get:c,update:h,getWireframeAttribute:f,dispose:d}}function AM(i,t,e){let n;function s(u){n=u}let r,o;function a(u){r=u.type,o=u.bytesPerElement}function l(u,f){i.drawElements(n,f,r,u*o),e.update(f,n,1)}function c(u,f,d){d!==0&&(i.drawElementsInstanced(n,f,r,u*o,d),e.update(f,n,d))}function h(u,f,d){if(d===0)return;t.get("WEBGL_multi_draw").multiDrawElementsWEBGL(n,f,0,r,u,0,d);let v=0;for(let g=0;g<d;g++)v+=f[g];e.update(v,n,1)}this.setMode=s,this.setIndex=a,this.render=l,this.renderInstances=c,this.renderMultiDraw=h}function RM(i){let t={geometries:0,textures:0},e={frame:0,calls:0,triangles:0,points:0,lines:0};function n(r,o,a){switch(e.calls++,o){case i.TRIANGLES:e.triangles+=a*(r/3);break;case i.LINES:e.lines+=a*(r/2);break;case i.LINE_STRIP:e.lines+=a*(r-1);break;case i.LINE_LOOP:e.lines+=a*r;break;case i.POINTS:e.points+=a*r;break;default:Qt("WebGLInfo: Unknown draw mode:",o);break}}function s(){e.calls=0,e.triangles=0,e.points=0,e.lines=0}return{memory:t,render:e,programs:null,autoReset:!0,reset:s,update:n}}function CM(i,t,e){let n=new WeakMap,s=new tn;function r(o,a,l){let c=o.morphTargetInfluences,h=a.morphAttributes.position||a.morphAttributes.normal||a.morphAttributes.color,u=h!==void 0?h.length:0,f=n.get(a);if(f===void 0||f.count!==u){let U=function(){x.dispose(),n.delete(a),a.removeEventListener("dispose",U)};f!==void 0&&f.texture.dispose();let d=a.morphAttributes.position!==void 0,p=a.morphAttributes.normal!==void 0,v=a.morphAttributes.color!==void 0,g=a.morphAttributes.position||[],m=a.morphAttributes.normal||[],_=a.morphAttributes.color||[],b=0;d===!0&&(b=1),p===!0&&(b=2),v===!0&&(b=3);let M=a.attributes.position.count*b,R=1;M>t.maxTextureSize&&(R=Math.ceil(M/t.maxTextureSize),M=t.maxTextureSize);let T=new Float32Array(M*R*4*u),x=new la(T,M,R,u);x.type=Gi,x.needsUpdate=!0;let w=b*4;for(let P=0;P<u;P++){let L=g[P],k=m[P],H=_[P],N=M*R*4*P;for(let W=0;W<L.count;W++){let Y=W*w;d===!0&&(s.fromBufferAttribute(L,W),T[N+Y+0]=s.x,T[N+Y+1]=s.y,T[N+Y+2]=s.z,T[N+Y+3]=0),p===!0&&(s.fromBufferAttribute(k,W),T[N+Y+4]=s.x,T[N+Y+5]=s.y,T[N+Y+6]=s.z,T[N+Y+7]=0),v===!0&&(s.fromBufferAttribute(H,W),T[N+Y+8]=s.x,T[N+Y+9]=s.y,T[N+Y+10]=s.z,T[N+Y+11]=H.itemSize===4?s.w:1)}}f={count:u,texture:x,size:new It(M,R)},n.set(a,f),a.addEventListener("dispose",U)}if(o.isInstancedMesh===!0&&o.morphTexture!==null)l.getUniforms().setValue(i,"morphTexture",o.morphTexture,e);else{let d=0;for(let v=0;v<c.length;v++)d+=c[v];let p=a.morphTargetsRelative?1:1-d;l.getUniforms().setValue(i,"morphTargetBaseInfluence",p),l.getUniforms().setValue(i,"morphTargetInfluences",c)}l.getUniforms().setValue(i,"morphTargetsTexture",f.texture,e),l.getUniforms().setValue(i,"morphTargetsTextureSize",f.size)}return{update:r}}function PM(i,t,e,n,s){let r=new WeakMap;function o(c){let h=s.render.frame,u=c.geometry,f=t.get(c,u);if(r.get(f)!==h&&(t.update(f),r.set(f,h)),c.isInstancedMesh&&(c.hasEventListener("dispose",l)===!1&&c.addEventListener("dispose",l),r.get(c)!==h&&(e.update(c.instanceMatrix,i.ARRAY_BUFFER),c.instanceColor!==null&&e.update(c.instanceColor,i.ARRAY_BUFFER),r.set(c,h))),c.isSkinnedMesh){let d=c.skeleton;r.get(d)!==h&&(d.update(),r.set(d,h))}return f}function a(){r=new WeakMap}function l(c){let h=c.target;h.removeEventListener("dispose",l),n.releaseStatesOfObject(h),e.remove(h.instanceMatrix),h.instanceColor!==null&&e.remove(h.instanceColor)}return{update:o,dispose:a}}var IM={[tf]:"LINEAR_TONE_MAPPING",[ef]:"REINHARD_TONE_MAPPING",[nf]:"CINEON_TONE_MAPPING",[sf]:"ACES_FILMIC_TONE_MAPPING",[of]:"AGX_TONE_MAPPING",[af]:"NEUTRAL_TONE_MAPPING",[rf]:"CUSTOM_TONE_MAPPING"};function LM(i,t,e,n,s,r){let o=new _i(t,e,{type:i,depthBuffer:s,stencilBuffer:r,samples:n?4:0,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,resolveDepthBuffer:!1,resolveStencilBuffer:!1}),a=null,l=null,c=null,h=new ge;h.setAttribute("position",new qt([-1,3,0,-1,-1,0,3,-1,0],3)),h.setAttribute("uv",new qt([0,2,0,0,2,0],2));let u=new ac({uniforms:{tDiffuse:{value:null}},vertexShader:`
			precision highp float;

			uniform mat4 modelViewMatrix;
			uniform mat4 projectionMatrix;

			attribute vec3 position;
			attribute vec2 uv;

			varying vec2 vUv;

			void main() {
				vUv = uv;
				gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
			}`,fragmentShader:`
			precision highp float;

			uniform sampler2D tDiffuse;

			varying vec2 vUv;

			#include <tonemapping_pars_fragment>
			#include <colorspace_pars_fragment>

			void main() {
				gl_FragColor = texture2D( tDiffuse, vUv );

				#ifdef LINEAR_TONE_MAPPING
					gl_FragColor.rgb = LinearToneMapping( gl_FragColor.rgb );
				#elif defined( REINHARD_TONE_MAPPING )
					gl_FragColor.rgb = ReinhardToneMapping( gl_FragColor.rgb );
				#elif defined( CINEON_TONE_MAPPING )
					gl_FragColor.rgb = CineonToneMapping( gl_FragColor.rgb );
				#elif defined( ACES_FILMIC_TONE_MAPPING )
					gl_FragColor.rgb = ACESFilmicToneMapping( gl_FragColor.rgb );
				#elif defined( AGX_TONE_MAPPING )
					gl_FragColor.rgb = AgXToneMapping( gl_FragColor.rgb );
				#elif defined( NEUTRAL_TONE_MAPPING )
					gl_FragColor.rgb = NeutralToneMapping( gl_FragColor.rgb );
				#elif defined( CUSTOM_TONE_MAPPING )
					gl_FragColor.rgb = CustomToneMapping( gl_FragColor.rgb );
				#endif

				#ifdef SRGB_TRANSFER
					gl_FragColor = sRGBTransferOETF( gl_FragColor );
				#endif
			}`,depthTest:!1,depthWrite:!1}),f=new _e(h,u),d=new Ta(-1,1,1,-1,0,1),p=null,v=null,g=!1,m,_=null,b=[],M=!1;this.setSize=function(R,T){o.setSize(R,T),a!==null&&a.setSize(R,T),l!==null&&l.setSize(R,T);for(let x=0;x<b.length;x++){let w=b[x];w.setSize&&w.setSize(R,T)}},this.setEffects=function(R){b=R,M=b.length>0&&b[0].isRenderPass===!0;let T=o.width,x=o.height;b.length>0&&a===null&&(a=new _i(T,x,{type:Vi,depthBuffer:!1,stencilBuffer:!1}),l=new _i(T,x,{type:Vi,depthBuffer:!1,stencilBuffer:!1}));let w=s===!0&&b.some(U=>U.needsDepthTexture===!0);w!==(o.depthTexture!==null)&&(w===!0&&c===null&&(c=new Cs(T,x),r===!0&&(c.format=Is,c.type=xr)),o.dispose(),o.depthTexture=w?c:null,o.resolveDepthBuffer=w,o.storeMultisampledDepthBuffer=w);for(let U=0;U<b.length;U++){let P=b[U];P.setSize&&P.setSize(T,x),w&&P.needsDepthTexture===!0&&P.setDepthTexture&&P.setDepthTexture(c)}},this.begin=function(R,T){if(g||R.toneMapping===os&&b.length===0)return!1;if(_=T,T!==null){let x=T.width,w=T.height;(o.width!==x||o.height!==w)&&this.setSize(x,w)}return M===!1&&R.setRenderTarget(o),m=R.toneMapping,R.toneMapping=os,!0},this.hasRenderPass=function(){return M},this.end=function(R,T){R.toneMapping=m,g=!0;let x=o,w=a;for(let U=0;U<b.length;U++){let P=b[U];P.enabled!==!1&&(P.render(R,w,x,T),P.needsSwap!==!1&&(x=w,w=w===a?l:a))}if(p!==R.outputColorSpace||v!==R.toneMapping){p=R.outputColorSpace,v=R.toneMapping,u.defines={},ve.getTransfer(p)===Le&&(u.defines.SRGB_TRANSFER="");let U=IM[v];U&&(u.defines[U]=""),u.needsUpdate=!0}u.uniforms.tDiffuse.value=x.texture,R.setRenderTarget(_),R.render(f,d),_=null,g=!1},this.isCompositing=function(){return g},this.dispose=function(){o.dispose(),a!==null&&a.dispose(),l!==null&&l.dispose(),h.dispose(),u.dispose()}}var Qm=new ni,tg=new Cs(1,1),eg=new da(1),ng=new la,ig=new Yl,sg=new fa,Lm=[],Dm=[],Nm=new Float32Array(16),Um=new Float32Array(9),Fm=new Float32Array(4);function _o(i,t,e){let n=i[0];if(n<=0||n>0)return i;let s=t*e,r=Lm[s];if(r===void 0&&(r=new Float32Array(s),Lm[s]=r),t!==0){n.toArray(r,0);for(let o=1,a=0;o!==t;++o)a+=e,i[o].toArray(r,a)}return r}function Tn(i,t){if(i.length!==t.length)return!1;for(let e=0,n=i.length;e<n;e++)if(i[e]!==t[e])return!1;return!0}function An(i,t){for(let e=0,n=t.length;e<n;e++)i[e]=t[e]}function dh(i,t){let e=Dm[t];e===void 0&&(e=new Int32Array(t),Dm[t]=e);for(let n=0;n!==t;++n)e[n]=i.allocateTextureUnit();return e}function DM(i,t){let e=this.cache;e[0]!==t&&(i.uniform1f(this.addr,t),e[0]=t)}function NM(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2f(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(Tn(e,t))return;i.uniform2fv(this.addr,t),An(e,t)}}function UM(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3f(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else if(t.r!==void 0)(e[0]!==t.r||e[1]!==t.g||e[2]!==t.b)&&(i.uniform3f(this.addr,t.r,t.g,t.b),e[0]=t.r,e[1]=t.g,e[2]=t.b);else{if(Tn(e,t))return;i.uniform3fv(this.addr,t),An(e,t)}}function FM(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4f(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(Tn(e,t))return;i.uniform4fv(this.addr,t),An(e,t)}}function OM(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(Tn(e,t))return;i.uniformMatrix2fv(this.addr,!1,t),An(e,t)}else{if(Tn(e,n))return;Fm.set(n),i.uniformMatrix2fv(this.addr,!1,Fm),An(e,n)}}function BM(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(Tn(e,t))return;i.uniformMatrix3fv(this.addr,!1,t),An(e,t)}else{if(Tn(e,n))return;Um.set(n),i.uniformMatrix3fv(this.addr,!1,Um),An(e,n)}}function kM(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(Tn(e,t))return;i.uniformMatrix4fv(this.addr,!1,t),An(e,t)}else{if(Tn(e,n))return;Nm.set(n),i.uniformMatrix4fv(this.addr,!1,Nm),An(e,n)}}function zM(i,t){let e=this.cache;e[0]!==t&&(i.uniform1i(this.addr,t),e[0]=t)}function HM(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2i(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(Tn(e,t))return;i.uniform2iv(this.addr,t),An(e,t)}}function GM(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3i(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(Tn(e,t))return;i.uniform3iv(this.addr,t),An(e,t)}}function VM(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4i(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(Tn(e,t))return;i.uniform4iv(this.addr,t),An(e,t)}}function WM(i,t){let e=this.cache;e[0]!==t&&(i.uniform1ui(this.addr,t),e[0]=t)}function XM(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2ui(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(Tn(e,t))return;i.uniform2uiv(this.addr,t),An(e,t)}}function qM(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3ui(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(Tn(e,t))return;i.uniform3uiv(this.addr,t),An(e,t)}}function YM(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4ui(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(Tn(e,t))return;i.uniform4uiv(this.addr,t),An(e,t)}}function ph(i){return i.version===0&&(i.compareFunction=xf,i.needsUpdate=!0),i}function ZM(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_2D_SHADOW?r=ph(tg):r=Qm,e.setTexture2D(t||r,s)}function $M(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture3D(t||ig,s)}function JM(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_CUBE_SHADOW?r=ph(eg):r=sg,e.setTextureCube(t||r,s)}function KM(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture2DArray(t||ng,s)}function jM(i){switch(i){case 5126:return DM;case 35664:return NM;case 35665:return UM;case 35666:return FM;case 35674:return OM;case 35675:return BM;case 35676:return kM;case 5124:case 35670:return zM;case 35667:case 35671:return HM;case 35668:case 35672:return GM;case 35669:case 35673:return VM;case 5125:return WM;case 36294:return XM;case 36295:return qM;case 36296:return YM;case 35678:case 36198:case 36298:case 36306:case 35682:return ZM;case 35679:case 36299:case 36307:return $M;case 35680:case 36300:case 36308:case 36293:return JM;case 36289:case 36303:case 36311:case 36292:return KM}}function QM(i,t){i.uniform1fv(this.addr,t)}function tS(i,t){let e=_o(t,this.size,2);i.uniform2fv(this.addr,e)}function eS(i,t){let e=_o(t,this.size,3);i.uniform3fv(this.addr,e)}function nS(i,t){let e=_o(t,this.size,4);i.uniform4fv(this.addr,e)}function iS(i,t){let e=_o(t,this.size,4);i.uniformMatrix2fv(this.addr,!1,e)}function sS(i,t){let e=_o(t,this.size,9);i.uniformMatrix3fv(this.addr,!1,e)}function rS(i,t){let e=_o(t,this.size,16);i.uniformMatrix4fv(this.addr,!1,e)}function oS(i,t){i.uniform1iv(this.addr,t)}function aS(i,t){i.uniform2iv(this.addr,t)}function lS(i,t){i.uniform3iv(this.addr,t)}function cS(i,t){i.uniform4iv(this.addr,t)}function hS(i,t){i.uniform1uiv(this.addr,t)}function uS(i,t){i.uniform2uiv(this.addr,t)}function fS(i,t){i.uniform3uiv(this.addr,t)}function dS(i,t){i.uniform4uiv(this.addr,t)}function pS(i,t,e){let n=this.cache,s=t.length,r=dh(e,s);Tn(n,r)||(i.uniform1iv(this.addr,r),An(n,r));let o;this.type===i.SAMPLER_2D_SHADOW?o=ph(tg):o=Qm;for(let a=0;a!==s;++a)e.setTexture2D(t[a]||o,r[a])}function mS(i,t,e){let n=this.cache,s=t.length,r=dh(e,s);Tn(n,r)||(i.uniform1iv(this.addr,r),An(n,r));for(let o=0;o!==s;++o)e.setTexture3D(t[o]||ig,r[o])}function gS(i,t,e){let n=this.cache,s=t.length,r=dh(e,s);Tn(n,r)||(i.uniform1iv(this.addr,r),An(n,r));let o;this.type===i.SAMPLER_CUBE_SHADOW?o=ph(eg):o=sg;for(let a=0;a!==s;++a)e.setTextureCube(t[a]||o,r[a])}function _S(i,t,e){let n=this.cache,s=t.length,r=dh(e,s);Tn(n,r)||(i.uniform1iv(this.addr,r),An(n,r));for(let o=0;o!==s;++o)e.setTexture2DArray(t[o]||ng,r[o])}function xS(i){switch(i){case 5126:return QM;case 35664:return tS;case 35665:return eS;case 35666:return nS;case 35674:return iS;case 35675:return sS;case 35676:return rS;case 5124:case 35670:return oS;case 35667:case 35671:return aS;case 35668:case 35672:return lS;case 35669:case 35673:return cS;case 5125:return hS;case 36294:return uS;case 36295:return fS;case 36296:return dS;case 35678:case 36198:case 36298:case 36306:case 35682:return pS;case 35679:case 36299:case 36307:return mS;case 35680:case 36300:case 36308:case 36293:return gS;case 36289:case 36303:case 36311:case 36292:return _S}}var Of=class{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.setValue=jM(e.type)}},Bf=class{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.size=e.size,this.setValue=xS(e.type)}},kf=class{constructor(t){this.id=t,this.seq=[],this.map={}}setValue(t,e,n){let s=this.seq;for(let r=0,o=s.length;r!==o;++r){let a=s[r];a.setValue(t,e[a.id],n)}}},Uf=/(\w+)(\])?(\[|\.)?/g;function Om(i,t){i.seq.push(t),i.map[t.id]=t}function yS(i,t,e){let n=i.name,s=n.length;for(Uf.lastIndex=0;;){let r=Uf.exec(n),o=Uf.lastIndex,a=r[1],l=r[2]==="]",c=r[3];if(l&&(a=a|0),c===void 0||c==="["&&o+2===s){Om(e,c===void 0?new Of(a,i,t):new Bf(a,i,t));break}else{let u=e.map[a];u===void 0&&(u=new kf(a),Om(e,u)),e=u}}}var go=class{constructor(t,e){this.seq=[],this.map={};let n=t.getProgramParameter(e,t.ACTIVE_UNIFORMS);for(let o=0;o<n;++o){let a=t.getActiveUniform(e,o),l=t.getUniformLocation(e,a.name);yS(a,l,this)}let s=[],r=[];for(let o of this.seq)o.type===t.SAMPLER_2D_SHADOW||o.type===t.SAMPLER_CUBE_SHADOW||o.type===t.SAMPLER_2D_ARRAY_SHADOW?s.push(o):r.push(o);s.length>0&&(this.seq=s.concat(r))}setValue(t,e,n,s){let r=this.map[e];r!==void 0&&r.setValue(t,n,s)}setOptional(t,e,n){let s=e[n];s!==void 0&&this.setValue(t,n,s)}static upload(t,e,n,s){for(let r=0,o=e.length;r!==o;++r){let a=e[r],l=n[a.id];l.needsUpdate!==!1&&a.setValue(t,l.value,s)}}static seqWithValue(t,e){let n=[];for(let s=0,r=t.length;s!==r;++s){let o=t[s];o.id in e&&n.push(o)}return n}};function Bm(i,t,e){let n=i.createShader(t);return i.shaderSource(n,e),i.compileShader(n),n}var vS=37297,MS=0;function SS(i,t){let e=i.split(`
`),n=[],s=Math.max(t-6,0),r=Math.min(t+6,e.length);for(let o=s;o<r;o++){let a=o+1;n.push(`${a===t?">":" "} ${a}: ${e[o]}`)}return n.join(`
`)}var km=new ee;function bS(i){ve._getMatrix(km,ve.workingColorSpace,i);let t=`mat3( ${km.elements.map(e=>e.toFixed(4))} )`;switch(ve.getTransfer(i)){case oa:return[t,"LinearTransferOETF"];case Le:return[t,"sRGBTransferOETF"];default:return Zt("WebGLProgram: Unsupported color space: ",i),[t,"LinearTransferOETF"]}}function zm(i,t,e){let n=i.getShaderParameter(t,i.COMPILE_STATUS),r=(i.getShaderInfoLog(t)||"").trim();if(n&&r==="")return"";let o=/ERROR: 0:(\d+)/.exec(r);if(o){let a=parseInt(o[1]);return e.toUpperCase()+`

`+r+`

`+SS(i.getShaderSource(t),a)}else return r}function wS(i,t){let e=bS(t);return[`vec4 ${i}( vec4 value ) {`,`	return ${e[1]}( vec4( ${e[0]} * value.rgb, value.a ) );`,"}"].join(`
`)}var ES={[tf]:"Linear",[ef]:"Reinhard",[nf]:"Cineon",[sf]:"ACESFilmic",[of]:"AgX",[af]:"Neutral",[rf]:"Custom"};function TS(i,t){let e=ES[t];return e===void 0?(Zt("WebGLProgram: Unsupported toneMapping:",t),"vec3 "+i+"( vec3 color ) { return LinearToneMapping( color ); }"):"vec3 "+i+"( vec3 color ) { return "+e+"ToneMapping( color ); }"}var hh=new F;function AS(){ve.getLuminanceCoefficients(hh);let i=hh.x.toFixed(4),t=hh.y.toFixed(4),e=hh.z.toFixed(4);return["float luminance( const in vec3 rgb ) {",`	const vec3 weights = vec3( ${i}, ${t}, ${e} );`,"	return dot( weights, rgb );","}"].join(`
`)}function RS(i){return[i.extensionClipCullDistance?"#extension GL_ANGLE_clip_cull_distance : require":"",i.extensionMultiDraw?"#extension GL_ANGLE_multi_draw : require":""].filter(ka).join(`
`)}function CS(i){let t=[];for(let e in i){let n=i[e];n!==!1&&t.push("#define "+e+" "+n)}return t.join(`
`)}function PS(i,t){let e={},n=i.getProgramParameter(t,i.ACTIVE_ATTRIBUTES);for(let s=0;s<n;s++){let r=i.getActiveAttrib(t,s),o=r.name,a=1;r.type===i.FLOAT_MAT2&&(a=2),r.type===i.FLOAT_MAT3&&(a=3),r.type===i.FLOAT_MAT4&&(a=4),e[o]={type:r.type,location:i.getAttribLocation(t,o),locationSize:a}}return e}function ka(i){return i!==""}function Hm(i,t){let e=t.numSpotLightShadows+t.numSpotLightMaps-t.numSpotLightShadowsWithMaps;return i.replace(/NUM_SUN_LIGHTS/g,t.numSunLights).replace(/NUM_DIR_LIGHTS/g,t.numDirLights).replace(/NUM_SPOT_LIGHTS/g,t.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,t.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,e).replace(/NUM_RECT_AREA_LIGHTS/g,t.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,t.numPointLights).replace(/NUM_HEMI_LIGHTS/g,t.numHemiLights).replace(/NUM_SUN_LIGHT_SHADOWS/g,t.numSunLightShadows).replace(/NUM_DIR_LIGHT_SHADOWS/g,t.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,t.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,t.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,t.numPointLightShadows).replace(/NUM_LIGHT_PROBE_GRIDS/g,t.numLightProbeGrids)}function Gm(i,t){return i.replace(/NUM_CLIPPING_PLANES/g,t.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,t.numClippingPlanes-t.numClipIntersection)}var IS=/^[ \t]*#include +<([\w\d./]+)>/gm;function zf(i){return i.replace(IS,LS)}function LS(i,t){let e=fe[t];if(e===void 0)throw new Error("THREE.WebGLProgram: Can not resolve #include <"+t+">");return zf(e)}var DS=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function Vm(i){return i.replace(DS,NS)}function NS(i,t,e,n){let s="";for(let r=parseInt(t);r<parseInt(e);r++)s+=n.replace(/\[\s*i\s*\]/g,"[ "+r+" ]").replace(/UNROLLED_LOOP_INDEX/g,r);return s}function Wm(i){let t=`precision ${i.precision} float;
	precision ${i.precision} int;
	precision ${i.precision} sampler2D;
	precision ${i.precision} samplerCube;
	precision ${i.precision} sampler3D;
	precision ${i.precision} sampler2DArray;
	precision ${i.precision} sampler2DShadow;
	precision ${i.precision} samplerCubeShadow;
	precision ${i.precision} sampler2DArrayShadow;
	precision ${i.precision} isampler2D;
	precision ${i.precision} isampler3D;
	precision ${i.precision} isamplerCube;
	precision ${i.precision} isampler2DArray;
	precision ${i.precision} usampler2D;
	precision ${i.precision} usampler3D;
	precision ${i.precision} usamplerCube;
	precision ${i.precision} usampler2DArray;
	`;return i.precision==="highp"?t+=`
#define HIGH_PRECISION`:i.precision==="mediump"?t+=`
#define MEDIUM_PRECISION`:i.precision==="lowp"&&(t+=`
#define LOW_PRECISION`),t}var US={[Pa]:"SHADOWMAP_TYPE_PCF",[ho]:"SHADOWMAP_TYPE_VSM"};function FS(i){return US[i.shadowMapType]||"SHADOWMAP_TYPE_BASIC"}var OS={[fo]:"ENVMAP_MODE_REFRACTION"};function BS(i){return i.envMap===!1?"ENVMAP_MODE_REFLECTION":OS[i.envMapMode]||"ENVMAP_MODE_REFLECTION"}var kS={[Qu]:"ENVMAP_BLENDING_MULTIPLY",[om]:"ENVMAP_BLENDING_MIX",[am]:"ENVMAP_BLENDING_ADD"};function zS(i){return i.envMap===!1?"ENVMAP_BLENDING_NONE":kS[i.combine]||"ENVMAP_BLENDING_NONE"}function HS(i,t,e,n){let s=i.getContext(),r=e.defines,o=e.vertexShader,a=e.fragmentShader,l=FS(e),c=e.envMapPMREM===!0?"ENVMAP_TYPE_PMREM":"ENVMAP_TYPE_CUBE",h=BS(e),u=zS(e),f=RS(e),d=CS(r),p=s.createProgram(),v,g,m=e.glslVersion?"#version "+e.glslVersion+`
`:"";e.isRawShaderMaterial?(v=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d].filter(ka).join(`
`),v.length>0&&(v+=`
`),g=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d].filter(ka).join(`
`),g.length>0&&(g+=`
`)):(v=[Wm(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d,e.extensionClipCullDistance?"#define USE_CLIP_DISTANCE":"",e.batching?"#define USE_BATCHING":"",e.batchingColor?"#define USE_BATCHING_COLOR":"",e.instancing?"#define USE_INSTANCING":"",e.instancingColor?"#define USE_INSTANCING_COLOR":"",e.instancingMorph?"#define USE_INSTANCING_MORPH":"",e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.map?"#define USE_MAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+h:"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.displacementMap?"#define USE_DISPLACEMENTMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.mapUv?"#define MAP_UV "+e.mapUv:"",e.alphaMapUv?"#define ALPHAMAP_UV "+e.alphaMapUv:"",e.lightMapUv?"#define LIGHTMAP_UV "+e.lightMapUv:"",e.aoMapUv?"#define AOMAP_UV "+e.aoMapUv:"",e.emissiveMapUv?"#define EMISSIVEMAP_UV "+e.emissiveMapUv:"",e.bumpMapUv?"#define BUMPMAP_UV "+e.bumpMapUv:"",e.normalMapUv?"#define NORMALMAP_UV "+e.normalMapUv:"",e.displacementMapUv?"#define DISPLACEMENTMAP_UV "+e.displacementMapUv:"",e.metalnessMapUv?"#define METALNESSMAP_UV "+e.metalnessMapUv:"",e.roughnessMapUv?"#define ROUGHNESSMAP_UV "+e.roughnessMapUv:"",e.anisotropyMapUv?"#define ANISOTROPYMAP_UV "+e.anisotropyMapUv:"",e.clearcoatMapUv?"#define CLEARCOATMAP_UV "+e.clearcoatMapUv:"",e.clearcoatNormalMapUv?"#define CLEARCOAT_NORMALMAP_UV "+e.clearcoatNormalMapUv:"",e.clearcoatRoughnessMapUv?"#define CLEARCOAT_ROUGHNESSMAP_UV "+e.clearcoatRoughnessMapUv:"",e.diffuseRoughnessMapUv?"#define DIFFUSE_ROUGHNESSMAP_UV "+e.diffuseRoughnessMapUv:"",e.iridescenceMapUv?"#define IRIDESCENCEMAP_UV "+e.iridescenceMapUv:"",e.iridescenceThicknessMapUv?"#define IRIDESCENCE_THICKNESSMAP_UV "+e.iridescenceThicknessMapUv:"",e.sheenColorMapUv?"#define SHEEN_COLORMAP_UV "+e.sheenColorMapUv:"",e.sheenRoughnessMapUv?"#define SHEEN_ROUGHNESSMAP_UV "+e.sheenRoughnessMapUv:"",e.specularMapUv?"#define SPECULARMAP_UV "+e.specularMapUv:"",e.specularColorMapUv?"#define SPECULAR_COLORMAP_UV "+e.specularColorMapUv:"",e.specularIntensityMapUv?"#define SPECULAR_INTENSITYMAP_UV "+e.specularIntensityMapUv:"",e.transmissionMapUv?"#define TRANSMISSIONMAP_UV "+e.transmissionMapUv:"",e.thicknessMapUv?"#define THICKNESSMAP_UV "+e.thicknessMapUv:"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexNormals?"#define HAS_NORMAL":"",e.vertexColors?"#define USE_COLOR":"",e.vertexAlphas?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.flatShading?"#define FLAT_SHADED":"",e.skinning?"#define USE_SKINNING":"",e.morphTargets?"#define USE_MORPHTARGETS":"",e.morphNormals&&e.flatShading===!1?"#define USE_MORPHNORMALS":"",e.morphColors?"#define USE_MORPHCOLORS":"",e.morphTargetsCount>0?"#define MORPHTARGETS_TEXTURE_STRIDE "+e.morphTextureStride:"",e.morphTargetsCount>0?"#define MORPHTARGETS_COUNT "+e.morphTargetsCount:"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.sizeAttenuation?"#define USE_SIZEATTENUATION":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 modelMatrix;","uniform mat4 modelViewMatrix;","uniform mat4 projectionMatrix;","uniform mat4 viewMatrix;","uniform mat3 normalMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;","#ifdef USE_INSTANCING","	attribute mat4 instanceMatrix;","#endif","#ifdef USE_INSTANCING_COLOR","	attribute vec3 instanceColor;","#endif","#ifdef USE_INSTANCING_MORPH","	uniform sampler2D morphTexture;","#endif","attribute vec3 position;","attribute vec3 normal;","attribute vec2 uv;","#ifdef USE_UV1","	attribute vec2 uv1;","#endif","#ifdef USE_UV2","	attribute vec2 uv2;","#endif","#ifdef USE_UV3","	attribute vec2 uv3;","#endif","#ifdef USE_TANGENT","	attribute vec4 tangent;","#endif","#if defined( USE_COLOR_ALPHA )","	attribute vec4 color;","#elif defined( USE_COLOR )","	attribute vec3 color;","#endif","#ifdef USE_SKINNING","	attribute vec4 skinIndex;","	attribute vec4 skinWeight;","#endif",`
`].filter(ka).join(`
`),g=[Wm(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d,e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.alphaToCoverage?"#define ALPHA_TO_COVERAGE":"",e.map?"#define USE_MAP":"",e.matcap?"#define USE_MATCAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+c:"",e.envMap?"#define "+h:"",e.envMap?"#define "+u:"",e.envMapPMREM?"#define ENVMAP_MAX_LOD "+e.envMapMaxLod+".0":"",e.envMapPMREM?"#define ENVMAP_SIZE "+e.envMapSize+".0":"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.packedNormalMap?"#define USE_PACKED_NORMALMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoat?"#define USE_CLEARCOAT":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.diffuseRoughness?"#define USE_DIFFUSE_ROUGHNESS":"",e.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",e.dispersion?"#define USE_DISPERSION":"",e.retroreflection?"#define USE_RETROREFLECTION":"",e.iridescence?"#define USE_IRIDESCENCE":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaTest?"#define USE_ALPHATEST":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.sheen?"#define USE_SHEEN":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexColors||e.instancingColor?"#define USE_COLOR":"",e.vertexAlphas||e.batchingColor?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.gradientMap?"#define USE_GRADIENTMAP":"",e.flatShading?"#define FLAT_SHADED":"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.premultipliedAlpha?"#define PREMULTIPLIED_ALPHA":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.decodeVideoTexture?"#define DECODE_VIDEO_TEXTURE":"",e.decodeVideoTextureEmissive?"#define DECODE_VIDEO_TEXTURE_EMISSIVE":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 viewMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;",e.toneMapping!==os?"#define TONE_MAPPING":"",e.toneMapping!==os?fe.tonemapping_pars_fragment:"",e.toneMapping!==os?TS("toneMapping",e.toneMapping):"",e.dithering?"#define DITHERING":"",e.opaque?"#define OPAQUE":"",fe.colorspace_pars_fragment,wS("linearToOutputTexel",e.outputColorSpace),AS(),e.useDepthPacking?"#define DEPTH_PACKING "+e.depthPacking:"",`
`].filter(ka).join(`
`)),o=zf(o),o=Hm(o,e),o=Gm(o,e),a=zf(a),a=Hm(a,e),a=Gm(a,e),o=Vm(o),a=Vm(a),e.isRawShaderMaterial!==!0&&(m=`#version 300 es
`,v=[f,"#define attribute in","#define varying out","#define texture2D texture"].join(`
`)+`
`+v,g=["#define varying in",e.glslVersion===yf?"":"layout(location = 0) out highp vec4 pc_fragColor;",e.glslVersion===yf?"":"#define gl_FragColor pc_fragColor","#define gl_FragDepthEXT gl_FragDepth","#define texture2D texture","#define textureCube texture","#define texture2DProj textureProj","#define texture2DLodEXT textureLod","#define texture2DProjLodEXT textureProjLod","#define textureCubeLodEXT textureLod","#define texture2DGradEXT textureGrad","#define texture2DProjGradEXT textureProjGrad","#define textureCubeGradEXT textureGrad"].join(`
`)+`
`+g);let _=m+v+o,b=m+g+a,M=Bm(s,s.VERTEX_SHADER,_),R=Bm(s,s.FRAGMENT_SHADER,b);s.attachShader(p,M),s.attachShader(p,R),e.index0AttributeName!==void 0?s.bindAttribLocation(p,0,e.index0AttributeName):e.hasPositionAttribute===!0&&s.bindAttribLocation(p,0,"position"),s.linkProgram(p);function T(P){if(i.debug.checkShaderErrors){let L=s.getProgramInfoLog(p)||"",k=s.getShaderInfoLog(M)||"",H=s.getShaderInfoLog(R)||"",N=L.trim(),W=k.trim(),Y=H.trim(),V=!0,ct=!0;if(s.getProgramParameter(p,s.LINK_STATUS)===!1)if(V=!1,typeof i.debug.onShaderError=="function")i.debug.onShaderError(s,p,M,R);else{let J=zm(s,M,"vertex"),j=zm(s,R,"fragment");Qt("WebGLProgram: Shader Error "+s.getError()+" - VALIDATE_STATUS "+s.getProgramParameter(p,s.VALIDATE_STATUS)+`

Material Name: `+P.name+`
Material Type: `+P.type+`

Program Info Log: `+N+`
`+J+`
`+j)}else N!==""?Zt("WebGLProgram: Program Info Log:",N):(W===""||Y==="")&&(ct=!1);ct&&(P.diagnostics={runnable:V,programLog:N,vertexShader:{log:W,prefix:v},fragmentShader:{log:Y,prefix:g}})}s.deleteShader(M),s.deleteShader(R),x=new go(s,p),w=PS(s,p)}let x;this.getUniforms=function(){return x===void 0&&T(this),x};let w;this.getAttributes=function(){return w===void 0&&T(this),w};let U=e.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return U===!1&&(U=s.getProgramParameter(p,vS)),U},this.destroy=function(){n.releaseStatesOfProgram(this),s.deleteProgram(p),this.program=void 0},this.type=e.shaderType,this.name=e.shaderName,this.id=MS++,this.cacheKey=t,this.usedTimes=1,this.program=p,this.vertexShader=M,this.fragmentShader=R,this}var GS=0,Hf=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(t,e,n){let s=this._getShaderCacheForMaterial(t);return s.has(e)===!1&&(s.add(e),e.usedTimes++),s.has(n)===!1&&(s.add(n),n.usedTimes++),this}remove(t){let e=this.materialCache.get(t);for(let n of e)n.usedTimes--,n.usedTimes===0&&this.shaderCache.delete(n.code);return this.materialCache.delete(t),this}getVertexShaderStage(t){return this._getShaderStage(t.vertexShader)}getFragmentShaderStage(t){return this._getShaderStage(t.fragmentShader)}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(t){let e=this.materialCache,n=e.get(t);return n===void 0&&(n=new Set,e.set(t,n)),n}_getShaderStage(t){let e=this.shaderCache,n=e.get(t);return n===void 0&&(n=new Gf(t),e.set(t,n)),n}},Gf=class{constructor(t){this.id=GS++,this.code=t,this.usedTimes=0}};function VS(i){return i===er||i===Fa||i===Oa}function WS(i,t,e,n,s,r){let o=new so,a=new Hf,l=new Set,c=[],h=new Map,u=n.logarithmicDepthBuffer,f={MeshDepthMaterial:"depth",MeshDistanceMaterial:"distance",MeshNormalMaterial:"normal",MeshBasicMaterial:"basic",MeshLambertMaterial:"lambert",MeshPhongMaterial:"phong",MeshToonMaterial:"toon",MeshStandardMaterial:"physical",MeshPhysicalMaterial:"physical",MeshMatcapMaterial:"matcap",LineBasicMaterial:"basic",LineDashedMaterial:"dashed",PointsMaterial:"points",ShadowMaterial:"shadow",SpriteMaterial:"sprite"};function d(x){return l.add(x),x===0?"uv":`uv${x}`}function p(x,w,U,P,L,k){let H=P.fog,N=L.geometry,W=x.isMeshStandardMaterial||x.isMeshLambertMaterial||x.isMeshPhongMaterial?P.environment:null,Y=x.isMeshStandardMaterial||x.isMeshLambertMaterial&&!x.envMap||x.isMeshPhongMaterial&&!x.envMap,V=t.get(x.envMap||W,Y),ct=f[x.type],J=n.precision;x.precision!==null&&(J=n.getMaxPrecision(x.precision),J!==x.precision&&Zt("WebGLProgram.getParameters:",x.precision,"not supported, using",J,"instead."));let j=N.morphAttributes.position||N.morphAttributes.normal||N.morphAttributes.color,st=j!==void 0?j.length:0,ft=0;N.morphAttributes.position!==void 0&&(ft=1),N.morphAttributes.normal!==void 0&&(ft=2),N.morphAttributes.color!==void 0&&(ft=3);let ut,Q,mt,xt;if(ct){let Rt=ls[ct];ut=Rt.vertexShader,Q=Rt.fragmentShader}else{ut=x.vertexShader,Q=x.fragmentShader;let Rt=a.getVertexShaderStage(x),le=a.getFragmentShaderStage(x);a.update(x,Rt,le),mt=Rt.id,xt=le.id}let At=i.getRenderTarget(),St=i.state.buffers.depth.getReversed(),Wt=L.isInstancedMesh===!0,re=L.isBatchedMesh===!0,Gt=!!x.map,de=!!x.matcap,he=!!V,ie=he&&V.isPMREMTexture===!0,je=!!x.aoMap,Ve=!!x.lightMap,dn=!!x.bumpMap&&x.wireframe===!1,Oe=!!x.normalMap,In=!!x.displacementMap,be=!!x.emissiveMap,wn=!!x.metalnessMap,sn=!!x.roughnessMap,pn=x.anisotropy>0,B=x.clearcoat>0,Ct=x.diffuseRoughness>0,$t=x.dispersion>0,oe=x.retroreflectivity>0,bt=x.iridescence>0,ke=x.sheen>0,Ht=x.transmission>0,Yt=pn&&!!x.anisotropyMap,C=B&&!!x.clearcoatMap,S=B&&!!x.clearcoatNormalMap,X=B&&!!x.clearcoatRoughnessMap,ht=Ct&&!!x.diffuseRoughnessMap,ot=bt&&!!x.iridescenceMap,_t=bt&&!!x.iridescenceThicknessMap,yt=ke&&!!x.sheenColorMap,et=ke&&!!x.sheenRoughnessMap,it=!!x.specularMap,pt=!!x.specularColorMap,O=!!x.specularIntensityMap,rt=Ht&&!!x.transmissionMap,nt=Ht&&!!x.thicknessMap,wt=!!x.gradientMap,gt=!!x.alphaMap,Mt=x.alphaTest>0,Vt=!!x.alphaHash,Kt=!!x.extensions,lt=os;x.toneMapped&&(At===null||At.isXRRenderTarget===!0)&&(lt=i.toneMapping);let Bt=ie?V.isCompressedCubeTexture?V.image[0].mipmaps:V.mipmaps:null,jt={shaderID:ct,shaderType:x.type,shaderName:x.name,vertexShader:ut,fragmentShader:Q,defines:x.defines,customVertexShaderID:mt,customFragmentShaderID:xt,isRawShaderMaterial:x.isRawShaderMaterial===!0,glslVersion:x.glslVersion,precision:J,batching:re,batchingColor:re&&L._colorsTexture!==null,instancing:Wt,instancingColor:Wt&&L.instanceColor!==null,instancingMorph:Wt&&L.morphTexture!==null,outputColorSpace:At===null?i.outputColorSpace:At.isXRRenderTarget===!0?At.texture.colorSpace:ve.workingColorSpace,alphaToCoverage:!!x.alphaToCoverage,map:Gt,matcap:de,envMap:he,envMapMode:he&&V.mapping,envMapPMREM:ie,envMapMaxLod:ie?Bt.length-1:null,envMapSize:ie?Bt[0].width:null,aoMap:je,lightMap:Ve,bumpMap:dn,normalMap:Oe,displacementMap:In,emissiveMap:be,normalMapObjectSpace:Oe&&x.normalMapType===hm,normalMapTangentSpace:Oe&&x.normalMapType===lh,packedNormalMap:Oe&&x.normalMapType===lh&&VS(x.normalMap.format),metalnessMap:wn,roughnessMap:sn,anisotropy:pn,anisotropyMap:Yt,clearcoat:B,clearcoatMap:C,clearcoatNormalMap:S,clearcoatRoughnessMap:X,diffuseRoughness:Ct,diffuseRoughnessMap:ht,dispersion:$t,retroreflection:oe,iridescence:bt,iridescenceMap:ot,iridescenceThicknessMap:_t,sheen:ke,sheenColorMap:yt,sheenRoughnessMap:et,specularMap:it,specularColorMap:pt,specularIntensityMap:O,transmission:Ht,transmissionMap:rt,thicknessMap:nt,gradientMap:wt,opaque:x.transparent===!1&&x.blending===uo&&x.alphaToCoverage===!1,alphaMap:gt,alphaTest:Mt,alphaHash:Vt,combine:x.combine,mapUv:Gt&&d(x.map.channel),aoMapUv:je&&d(x.aoMap.channel),lightMapUv:Ve&&d(x.lightMap.channel),bumpMapUv:dn&&d(x.bumpMap.channel),normalMapUv:Oe&&d(x.normalMap.channel),displacementMapUv:In&&d(x.displacementMap.channel),emissiveMapUv:be&&d(x.emissiveMap.channel),metalnessMapUv:wn&&d(x.metalnessMap.channel),roughnessMapUv:sn&&d(x.roughnessMap.channel),anisotropyMapUv:Yt&&d(x.anisotropyMap.channel),clearcoatMapUv:C&&d(x.clearcoatMap.channel),clearcoatNormalMapUv:S&&d(x.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:X&&d(x.clearcoatRoughnessMap.channel),diffuseRoughnessMapUv:ht&&d(x.diffuseRoughnessMap.channel),iridescenceMapUv:ot&&d(x.iridescenceMap.channel),iridescenceThicknessMapUv:_t&&d(x.iridescenceThicknessMap.channel),sheenColorMapUv:yt&&d(x.sheenColorMap.channel),sheenRoughnessMapUv:et&&d(x.sheenRoughnessMap.channel),specularMapUv:it&&d(x.specularMap.channel),specularColorMapUv:pt&&d(x.specularColorMap.channel),specularIntensityMapUv:O&&d(x.specularIntensityMap.channel),transmissionMapUv:rt&&d(x.transmissionMap.channel),thicknessMapUv:nt&&d(x.thicknessMap.channel),alphaMapUv:gt&&d(x.alphaMap.channel),vertexTangents:!!N.attributes.tangent&&(Oe||pn),vertexNormals:!!N.attributes.normal,vertexColors:x.vertexColors,vertexAlphas:x.vertexColors===!0&&!!N.attributes.color&&N.attributes.color.itemSize===4,pointsUvs:L.isPoints===!0&&!!N.attributes.uv&&(Gt||gt),fog:!!H,useFog:x.fog===!0,fogExp2:!!H&&H.isFogExp2,flatShading:x.wireframe===!1&&(x.flatShading===!0||N.attributes.normal===void 0&&Oe===!1&&(x.isMeshLambertMaterial||x.isMeshPhongMaterial||x.isMeshStandardMaterial||x.isMeshPhysicalMaterial)),sizeAttenuation:x.sizeAttenuation===!0,logarithmicDepthBuffer:u,reversedDepthBuffer:St,skinning:L.isSkinnedMesh===!0,hasPositionAttribute:N.attributes.position!==void 0,morphTargets:N.morphAttributes.position!==void 0,morphNormals:N.morphAttributes.normal!==void 0,morphColors:N.morphAttributes.color!==void 0,morphTargetsCount:st,morphTextureStride:ft,numSunLights:w.sun.length,numDirLights:w.directional.length,numPointLights:w.point.length,numSpotLights:w.spot.length,numSpotLightMaps:w.spotLightMap.length,numRectAreaLights:w.rectArea.length,numHemiLights:w.hemi.length,numSunLightShadows:w.sunShadowMap.length,numDirLightShadows:w.directionalShadowMap.length,numPointLightShadows:w.pointShadowMap.length,numSpotLightShadows:w.spotShadowMap.length,numSpotLightShadowsWithMaps:w.numSpotLightShadowsWithMaps,numLightProbes:w.numLightProbes,numLightProbeGrids:k.filter(Rt=>Rt.texture!==null).length,numClippingPlanes:r.numPlanes,numClipIntersection:r.numIntersection,dithering:x.dithering,shadowMapEnabled:i.shadowMap.enabled&&U.length>0,shadowMapType:i.shadowMap.type,toneMapping:lt,decodeVideoTexture:Gt&&x.map.isVideoTexture===!0&&ve.getTransfer(x.map.colorSpace)===Le,decodeVideoTextureEmissive:be&&x.emissiveMap.isVideoTexture===!0&&ve.getTransfer(x.emissiveMap.colorSpace)===Le,premultipliedAlpha:x.premultipliedAlpha,doubleSided:x.side===vn,flipSided:x.side===ti,useDepthPacking:x.depthPacking>=0,depthPacking:x.depthPacking||0,index0AttributeName:x.index0AttributeName,extensionClipCullDistance:Kt&&x.extensions.clipCullDistance===!0&&e.has("WEBGL_clip_cull_distance"),extensionMultiDraw:(Kt&&x.extensions.multiDraw===!0||re)&&e.has("WEBGL_multi_draw"),rendererExtensionParallelShaderCompile:e.has("KHR_parallel_shader_compile"),customProgramCacheKey:x.customProgramCacheKey()};return jt.vertexUv1s=l.has(1),jt.vertexUv2s=l.has(2),jt.vertexUv3s=l.has(3),l.clear(),jt}function v(x){let w=[];if(x.shaderID?w.push(x.shaderID):(w.push(x.customVertexShaderID),w.push(x.customFragmentShaderID)),x.defines!==void 0)for(let U in x.defines)w.push(U),w.push(x.defines[U]);return x.isRawShaderMaterial===!1&&(g(w,x),m(w,x),w.push(i.outputColorSpace)),w.push(x.customProgramCacheKey),w.join()}function g(x,w){x.push(w.precision),x.push(w.outputColorSpace),x.push(w.envMapMode),x.push(w.envMapPMREM),x.push(w.envMapMaxLod),x.push(w.envMapSize),x.push(w.mapUv),x.push(w.alphaMapUv),x.push(w.lightMapUv),x.push(w.aoMapUv),x.push(w.bumpMapUv),x.push(w.normalMapUv),x.push(w.displacementMapUv),x.push(w.emissiveMapUv),x.push(w.metalnessMapUv),x.push(w.roughnessMapUv),x.push(w.anisotropyMapUv),x.push(w.clearcoatMapUv),x.push(w.clearcoatNormalMapUv),x.push(w.clearcoatRoughnessMapUv),x.push(w.diffuseRoughnessMapUv),x.push(w.iridescenceMapUv),x.push(w.iridescenceThicknessMapUv),x.push(w.sheenColorMapUv),x.push(w.sheenRoughnessMapUv),x.push(w.specularMapUv),x.push(w.specularColorMapUv),x.push(w.specularIntensityMapUv),x.push(w.transmissionMapUv),x.push(w.thicknessMapUv),x.push(w.combine),x.push(w.fogExp2),x.push(w.sizeAttenuation),x.push(w.morphTargetsCount),x.push(w.numSunLights),x.push(w.numDirLights),x.push(w.numPointLights),x.push(w.numSpotLights),x.push(w.numSpotLightMaps),x.push(w.numHemiLights),x.push(w.numRectAreaLights),x.push(w.numSunLightShadows),x.push(w.numDirLightShadows),x.push(w.numPointLightShadows),x.push(w.numSpotLightShadows),x.push(w.numSpotLightShadowsWithMaps),x.push(w.numLightProbes),x.push(w.numLightProbeGrids),x.push(w.shadowMapType),x.push(w.toneMapping),x.push(w.numClippingPlanes),x.push(w.numClipIntersection),x.push(w.depthPacking)}function m(x,w){o.disableAll(),w.instancing&&o.enable(0),w.instancingColor&&o.enable(1),w.instancingMorph&&o.enable(2),w.matcap&&o.enable(3),w.envMap&&o.enable(4),w.normalMapObjectSpace&&o.enable(5),w.normalMapTangentSpace&&o.enable(6),w.clearcoat&&o.enable(7),w.iridescence&&o.enable(8),w.alphaTest&&o.enable(9),w.vertexColors&&o.enable(10),w.vertexAlphas&&o.enable(11),w.vertexUv1s&&o.enable(12),w.vertexUv2s&&o.enable(13),w.vertexUv3s&&o.enable(14),w.vertexTangents&&o.enable(15),w.anisotropy&&o.enable(16),w.alphaHash&&o.enable(17),w.batching&&o.enable(18),w.dispersion&&o.enable(19),w.retroreflection&&o.enable(24),w.diffuseRoughness&&o.enable(25),w.batchingColor&&o.enable(20),w.gradientMap&&o.enable(21),w.packedNormalMap&&o.enable(22),w.vertexNormals&&o.enable(23),x.push(o.mask),o.disableAll(),w.fog&&o.enable(0),w.useFog&&o.enable(1),w.flatShading&&o.enable(2),w.logarithmicDepthBuffer&&o.enable(3),w.reversedDepthBuffer&&o.enable(4),w.skinning&&o.enable(5),w.morphTargets&&o.enable(6),w.morphNormals&&o.enable(7),w.morphColors&&o.enable(8),w.premultipliedAlpha&&o.enable(9),w.shadowMapEnabled&&o.enable(10),w.doubleSided&&o.enable(11),w.flipSided&&o.enable(12),w.useDepthPacking&&o.enable(13),w.dithering&&o.enable(14),w.transmission&&o.enable(15),w.sheen&&o.enable(16),w.opaque&&o.enable(17),w.pointsUvs&&o.enable(18),w.decodeVideoTexture&&o.enable(19),w.decodeVideoTextureEmissive&&o.enable(20),w.alphaToCoverage&&o.enable(21),w.numLightProbeGrids>0&&o.enable(22),w.hasPositionAttribute&&o.enable(23),x.push(o.mask)}function _(x){let w=f[x.type],U;if(w){let P=ls[w];U=Em.clone(P.uniforms)}else U=x.uniforms;return U}function b(x,w){let U=h.get(w);return U!==void 0?++U.usedTimes:(U=new HS(i,w,x,s),c.push(U),h.set(w,U)),U}function M(x){if(--x.usedTimes===0){let w=c.indexOf(x);c[w]=c[c.length-1],c.pop(),h.delete(x.cacheKey),x.destroy()}}function R(x){a.remove(x)}function T(){a.dispose()}return{getParameters:p,getProgramCacheKey:v,getUniforms:_,acquireProgram:b,releaseProgram:M,releaseShaderCache:R,programs:c,dispose:T}}function XS(){let i=new WeakMap;function t(o){return i.has(o)}function e(o){let a=i.get(o);return a===void 0&&(a={},i.set(o,a)),a}function n(o){i.delete(o)}function s(o,a,l){i.get(o)[a]=l}function r(){i=new WeakMap}return{has:t,get:e,remove:n,update:s,dispose:r}}function qS(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.material.id!==t.material.id?i.material.id-t.material.id:i.materialVariant!==t.materialVariant?i.materialVariant-t.materialVariant:i.z!==t.z?i.z-t.z:i.id-t.id}function Xm(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.z!==t.z?t.z-i.z:i.id-t.id}function qm(){let i=[],t=0,e=[],n=[],s=[];function r(){t=0,e.length=0,n.length=0,s.length=0}function o(f){let d=0;return f.isInstancedMesh&&(d+=2),f.isSkinnedMesh&&(d+=1),d}function a(f,d,p,v,g,m){let _=i[t];return _===void 0?(_={id:f.id,object:f,geometry:d,material:p,materialVariant:o(f),groupOrder:v,renderOrder:f.renderOrder,z:g,group:m},i[t]=_):(_.id=f.id,_.object=f,_.geometry=d,_.material=p,_.materialVariant=o(f),_.groupOrder=v,_.renderOrder=f.renderOrder,_.z=g,_.group=m),t++,_}function l(f,d,p,v,g,m,_){_.reversedDepth===!0&&(g=-g);let b=a(f,d,p,v,g,m);p.transmission>0?n.push(b):p.transparent===!0?s.push(b):e.push(b)}function c(f,d,p,v,g,m){let _=a(f,d,p,v,g,m);p.transmission>0?n.unshift(_):p.transparent===!0?s.unshift(_):e.unshift(_)}function h(f,d){e.length>1&&e.sort(f||qS),n.length>1&&n.sort(d||Xm),s.length>1&&s.sort(d||Xm)}function u(){for(let f=t,d=i.length;f<d;f++){let p=i[f];if(p.id===null)break;p.id=null,p.object=null,p.geometry=null,p.material=null,p.group=null}}return{opaque:e,transmissive:n,transparent:s,init:r,push:l,unshift:c,finish:u,sort:h}}function YS(){let i=new WeakMap;function t(n,s){let r=i.get(n),o;return r===void 0?(o=new qm,i.set(n,[o])):s>=r.length?(o=new qm,r.push(o)):o=r[s],o}function e(){i=new WeakMap}return{get:t,dispose:e}}function ZS(){let i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"SunLight":case"DirectionalLight":e={direction:new F,color:new ae};break;case"SpotLight":e={position:new F,direction:new F,color:new ae,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case"PointLight":e={position:new F,color:new ae,distance:0,decay:0};break;case"HemisphereLight":e={direction:new F,skyColor:new ae,groundColor:new ae};break;case"RectAreaLight":e={color:new ae,position:new F,halfWidth:new F,halfHeight:new F};break}return i[t.id]=e,e}}}function $S(){let i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"SunLight":case"DirectionalLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new It};break;case"SpotLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new It};break;case"PointLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new It,shadowCameraNear:1,shadowCameraFar:1e3};break}return i[t.id]=e,e}}}var JS=0;function KS(i,t){return(t.castShadow?2:0)-(i.castShadow?2:0)+(t.map?1:0)-(i.map?1:0)}function jS(i){let t=new ZS,e=$S(),n={version:0,hash:{sunLength:-1,directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numSunShadows:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],sun:[],sunShadow:[],sunShadowMap:[],sunShadowMatrix:[],sunShadowCascade:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let c=0;c<9;c++)n.probe.push(new F);let s=new F,r=new ze,o=new ze;function a(c){let h=0,u=0,f=0;for(let k=0;k<9;k++)n.probe[k].set(0,0,0);let d=0,p=0,v=0,g=0,m=0,_=0,b=0,M=0,R=0,T=0,x=0,w=0,U=0,P=0;c.sort(KS);for(let k=0,H=c.length;k<H;k++){let N=c[k],W=N.color,Y=N.intensity,V=N.distance,ct=null;if(N.shadow&&N.shadow.map&&(N.shadow.map.texture.format===er?ct=N.shadow.map.texture:ct=N.shadow.map.depthTexture||N.shadow.map.texture),N.isAmbientLight)h+=W.r*Y,u+=W.g*Y,f+=W.b*Y;else if(N.isLightProbe){for(let J=0;J<9;J++)n.probe[J].addScaledVector(N.sh.coefficients[J],Y);P++}else if(N.isSunLight){let J=t.get(N);if(J.color.copy(N.color).multiplyScalar(N.intensity),N.castShadow){let j=N.shadow,st=e.get(N);st.shadowIntensity=j.intensity,st.shadowBias=j.bias,st.shadowNormalBias=j.normalBias,st.shadowRadius=j.radius,st.shadowMapSize.copy(j.mapSize).multiply(j.getFrameExtents()),n.sunShadow[p]=st,n.sunShadowMap[p]=ct;let ft=j.getViewportCount();for(let ut=0;ut<ft;ut++)n.sunShadowMatrix[v+ut]=j.getMatrix(ut),n.sunShadowCascade[v+ut]=j._cascadeData[ut];v+=ft,p++}n.sun[d]=J,d++}else if(N.isDirectionalLight){let J=t.get(N);if(J.color.copy(N.color).multiplyScalar(N.intensity),N.castShadow){let j=N.shadow,st=e.get(N);st.shadowIntensity=j.intensity,st.shadowBias=j.bias,st.shadowNormalBias=j.normalBias,st.shadowRadius=j.radius,st.shadowMapSize=j.mapSize,n.directionalShadow[g]=st,n.directionalShadowMap[g]=ct,n.directionalShadowMatrix[g]=N.shadow.matrix,R++}n.directional[g]=J,g++}else if(N.isSpotLight){let J=t.get(N);J.position.setFromMatrixPosition(N.matrixWorld),J.color.copy(W).multiplyScalar(Y),J.distance=V,J.coneCos=Math.cos(N.angle),J.penumbraCos=Math.cos(N.angle*(1-N.penumbra)),J.decay=N.decay,n.spot[_]=J;let j=N.shadow;if(N.map&&(n.spotLightMap[w]=N.map,w++,j.updateMatrices(N),N.castShadow&&U++),n.spotLightMatrix[_]=j.matrix,N.castShadow){let st=e.get(N);st.shadowIntensity=j.intensity,st.shadowBias=j.bias,st.shadowNormalBias=j.normalBias,st.shadowRadius=j.radius,st.shadowMapSize=j.mapSize,n.spotShadow[_]=st,n.spotShadowMap[_]=ct,x++}_++}else if(N.isRectAreaLight){let J=t.get(N);J.color.copy(W).multiplyScalar(Y),J.halfWidth.set(N.width*.5,0,0),J.halfHeight.set(0,N.height*.5,0),n.rectArea[b]=J,b++}else if(N.isPointLight){let J=t.get(N);if(J.color.copy(N.color).multiplyScalar(N.intensity),J.distance=N.distance,J.decay=N.decay,N.castShadow){let j=N.shadow,st=e.get(N);st.shadowIntensity=j.intensity,st.shadowBias=j.bias,st.shadowNormalBias=j.normalBias,st.shadowRadius=j.radius,st.shadowMapSize=j.mapSize,st.shadowCameraNear=j.camera.near,st.shadowCameraFar=j.camera.far,n.pointShadow[m]=st,n.pointShadowMap[m]=ct,n.pointShadowMatrix[m]=N.shadow.matrix,T++}n.point[m]=J,m++}else if(N.isHemisphereLight){let J=t.get(N);J.skyColor.copy(N.color).multiplyScalar(Y),J.groundColor.copy(N.groundColor).multiplyScalar(Y),n.hemi[M]=J,M++}}b>0&&(i.has("OES_texture_float_linear")===!0?(n.rectAreaLTC1=Dt.LTC_FLOAT_1,n.rectAreaLTC2=Dt.LTC_FLOAT_2):(n.rectAreaLTC1=Dt.LTC_HALF_1,n.rectAreaLTC2=Dt.LTC_HALF_2)),n.ambient[0]=h,n.ambient[1]=u,n.ambient[2]=f;let L=n.hash;(L.sunLength!==d||L.directionalLength!==g||L.pointLength!==m||L.spotLength!==_||L.rectAreaLength!==b||L.hemiLength!==M||L.numSunShadows!==p||L.numDirectionalShadows!==R||L.numPointShadows!==T||L.numSpotShadows!==x||L.numSpotMaps!==w||L.numLightProbes!==P)&&(n.sun.length=d,n.directional.length=g,n.spot.length=_,n.rectArea.length=b,n.point.length=m,n.hemi.length=M,n.sunShadow.length=p,n.sunShadowMap.length=p,n.sunShadowMatrix.length=v,n.sunShadowCascade.length=v,n.directionalShadow.length=R,n.directionalShadowMap.length=R,n.directionalShadowMatrix.length=R,n.pointShadow.length=T,n.pointShadowMap.length=T,n.pointShadowMatrix.length=T,n.spotShadow.length=x,n.spotShadowMap.length=x,n.spotLightMatrix.length=x+w-U,n.spotLightMap.length=w,n.numSpotLightShadowsWithMaps=U,n.numLightProbes=P,L.sunLength=d,L.directionalLength=g,L.pointLength=m,L.spotLength=_,L.rectAreaLength=b,L.hemiLength=M,L.numSunShadows=p,L.numDirectionalShadows=R,L.numPointShadows=T,L.numSpotShadows=x,L.numSpotMaps=w,L.numLightProbes=P,n.version=JS++)}function l(c,h){let u=0,f=0,d=0,p=0,v=0,g=0,m=h.matrixWorldInverse;for(let _=0,b=c.length;_<b;_++){let M=c[_];if(M.isSunLight){let R=n.sun[u];R.direction.setFromMatrixPosition(M.matrixWorld),R.direction.transformDirection(m),u++}else if(M.isDirectionalLight){let R=n.directional[f];R.direction.setFromMatrixPosition(M.matrixWorld),s.setFromMatrixPosition(M.target.matrixWorld),R.direction.sub(s),R.direction.transformDirection(m),f++}else if(M.isSpotLight){let R=n.spot[p];R.position.setFromMatrixPosition(M.matrixWorld),R.position.applyMatrix4(m),R.direction.setFromMatrixPosition(M.matrixWorld),s.setFromMatrixPosition(M.target.matrixWorld),R.direction.sub(s),R.direction.transformDirection(m),p++}else if(M.isRectAreaLight){let R=n.rectArea[v];R.position.setFromMatrixPosition(M.matrixWorld),R.position.applyMatrix4(m),o.identity(),r.copy(M.matrixWorld),r.premultiply(m),o.extractRotation(r),R.halfWidth.set(M.width*.5,0,0),R.halfHeight.set(0,M.height*.5,0),R.halfWidth.applyMatrix4(o),R.halfHeight.applyMatrix4(o),v++}else if(M.isPointLight){let R=n.point[d];R.position.setFromMatrixPosition(M.matrixWorld),R.position.applyMatrix4(m),d++}else if(M.isHemisphereLight){let R=n.hemi[g];R.direction.setFromMatrixPosition(M.matrixWorld),R.direction.transformDirection(m),g++}}}return{setup:a,setupView:l,state:n}}function Ym(i){let t=new jS(i),e=[],n=[],s=[];function r(u){h.camera=u,e.length=0,n.length=0,s.length=0}function o(u){u.isLightProbeGrid?s.push(u):e.push(u)}function a(u){n.push(u)}function l(){t.setup(e),s.sort((u,f)=>u.priority-f.priority||u.id-f.id)}function c(u){t.setupView(e,u)}let h={lightsArray:e,shadowsArray:n,lightProbeGridArray:s,camera:null,lights:t,transmissionRenderTarget:{},textureUnits:0};return{init:r,state:h,setupLights:l,setupLightsView:c,pushLight:o,pushShadow:a}}function QS(i){let t=new WeakMap;function e(s,r=0){let o=t.get(s),a;return o===void 0?(a=new Ym(i),t.set(s,[a])):r>=o.length?(a=new Ym(i),o.push(a)):a=o[r],a}function n(){t=new WeakMap}return{get:e,dispose:n}}var tb=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,eb=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
void main() {
	const float samples = float( VSM_SAMPLES );
	float mean = 0.0;
	float squared_mean = 0.0;
	float uvStride = samples <= 1.0 ? 0.0 : 2.0 / ( samples - 1.0 );
	float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
	for ( float i = 0.0; i < samples; i ++ ) {
		float uvOffset = uvStart + i * uvStride;
		#ifdef HORIZONTAL_PASS
			vec2 distribution = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( uvOffset, 0.0 ) * radius ) / resolution ).rg;
			mean += distribution.x;
			squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
		#else
			float depth = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( 0.0, uvOffset ) * radius ) / resolution ).r;
			mean += depth;
			squared_mean += depth * depth;
		#endif
	}
	mean = mean / samples;
	squared_mean = squared_mean / samples;
	float std_dev = sqrt( max( 0.0, squared_mean - mean * mean ) );
	gl_FragColor = vec4( mean, std_dev, 0.0, 1.0 );
}`,nb=[new F(1,0,0),new F(-1,0,0),new F(0,1,0),new F(0,-1,0),new F(0,0,1),new F(0,0,-1)],ib=[new F(0,-1,0),new F(0,-1,0),new F(0,0,1),new F(0,0,-1),new F(0,-1,0),new F(0,-1,0)],Zm=new ze,Ba=new F,Ff=new F;function sb(i,t,e){let n=new Zs,s=new It,r=new It,o=new tn,a=new lc,l=new cc,c={},h=e.maxTextureSize,u={[tr]:ti,[ti]:tr,[vn]:vn},f=new ss({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new It},radius:{value:4}},vertexShader:tb,fragmentShader:eb}),d=f.clone();d.defines.HORIZONTAL_PASS=1;let p=new ge;p.setAttribute("position",new gi(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let v=new _e(p,f),g=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=Pa;let m=this.type;this.render=function(T,x,w){if(g.enabled===!1||g.autoUpdate===!1&&g.needsUpdate===!1||T.length===0)return;this.type===Hp&&(Zt("WebGLShadowMap: PCFSoftShadowMap has been removed. Using PCFShadowMap instead."),this.type=Pa);let U=i.getRenderTarget(),P=i.getActiveCubeFace(),L=i.getActiveMipmapLevel(),k=i.state;k.setBlending(mr),k.buffers.depth.getReversed()===!0?k.buffers.color.setClear(0,0,0,0):k.buffers.color.setClear(1,1,1,1),k.buffers.depth.setTest(!0),k.setScissorTest(!1);let H=m!==this.type;H&&x.traverse(function(N){N.material&&(Array.isArray(N.material)?N.material.forEach(W=>W.needsUpdate=!0):N.material.needsUpdate=!0)});for(let N=0,W=T.length;N<W;N++){let Y=T[N],V=Y.shadow;if(V===void 0){Zt("WebGLShadowMap:",Y,"has no shadow.");continue}if(V.autoUpdate===!1&&V.needsUpdate===!1)continue;s.copy(V.mapSize);let ct=V.getFrameExtents();s.multiply(ct),r.copy(V.mapSize),(s.x>h||s.y>h)&&(s.x>h&&(r.x=Math.floor(h/ct.x),s.x=r.x*ct.x,V.mapSize.x=r.x),s.y>h&&(r.y=Math.floor(h/ct.y),s.y=r.y*ct.y,V.mapSize.y=r.y));let J=i.state.buffers.depth.getReversed();if(V.camera._reversedDepth=J,V.map===null||H===!0){if(V.map!==null&&(V.map.depthTexture!==null&&(V.map.depthTexture.dispose(),V.map.depthTexture=null),V.map.dispose()),this.type===ho){if(Y.isPointLight){Zt("WebGLShadowMap: VSM shadow maps are not supported for PointLights. Use PCF or BasicShadowMap instead.");continue}V.map=new _i(s.x,s.y,{format:er,type:Vi,minFilter:jn,magFilter:jn,generateMipmaps:!1}),V.map.texture.name=Y.name+".shadowMap",V.map.depthTexture=new Cs(s.x,s.y,Gi),V.map.depthTexture.name=Y.name+".shadowMapDepth",V.map.depthTexture.format=Ts,V.map.depthTexture.compareFunction=null,V.map.depthTexture.minFilter=On,V.map.depthTexture.magFilter=On}else Y.isPointLight?(V.map=new za(s.x),V.map.depthTexture=new da(s.x,Hi)):(V.map=new _i(s.x,s.y),V.map.depthTexture=new Cs(s.x,s.y,Hi)),V.map.depthTexture.name=Y.name+".shadowMap",V.map.depthTexture.format=Ts,this.type===Pa?(V.map.depthTexture.compareFunction=J?_f:gf,V.map.depthTexture.minFilter=jn,V.map.depthTexture.magFilter=jn):(V.map.depthTexture.compareFunction=null,V.map.depthTexture.minFilter=On,V.map.depthTexture.magFilter=On);V.camera.updateProjectionMatrix()}V.map.isWebGLCubeRenderTarget!==!0&&(V.map.width!==s.x||V.map.height!==s.y)&&V.map.setSize(s.x,s.y);let j=V.map.isWebGLCubeRenderTarget?6:V.getViewportCount();Y.isPointLight!==!0&&V.updateMatrices(Y,w);let st=(V.camera.layers.mask&4294967294)!==0?V.camera.layers:w.layers;for(let ft=0;ft<j;ft++){let ut=V.getCamera(ft);if(Y.isPointLight){let Q=V.camera,mt=V.matrix,xt=Y.distance||Q.far;xt!==Q.far&&(Q.far=xt,Q.updateProjectionMatrix()),Ba.setFromMatrixPosition(Y.matrixWorld),Q.position.copy(Ba),Ff.copy(Q.position),Ff.add(nb[ft]),Q.up.copy(ib[ft]),Q.lookAt(Ff),Q.updateMatrixWorld(),mt.makeTranslation(-Ba.x,-Ba.y,-Ba.z),Zm.multiplyMatrices(Q.projectionMatrix,Q.matrixWorldInverse),V._frustum.setFromProjectionMatrix(Zm,Q.coordinateSystem,Q.reversedDepth)}if(V.map.isWebGLCubeRenderTarget)i.setRenderTarget(V.map,ft),i.clear();else{ft===0&&(i.setRenderTarget(V.map),i.clear());let Q=V.getViewport(ft);o.set(r.x*Q.x,r.y*Q.y,r.x*Q.z,r.y*Q.w),k.viewport(o)}n=V.getFrustum(ft),M(x,w,ut,Y,st,this.type)}V.isPointLightShadow!==!0&&this.type===ho&&_(V,w),V.needsUpdate=!1}m=this.type,g.needsUpdate=!1,i.setRenderTarget(U,P,L)};function _(T,x){let w=t.update(v);f.defines.VSM_SAMPLES!==T.blurSamples&&(f.defines.VSM_SAMPLES=T.blurSamples,d.defines.VSM_SAMPLES=T.blurSamples,f.needsUpdate=!0,d.needsUpdate=!0),T.mapPass===null?T.mapPass=new _i(s.x,s.y,{format:er,type:Vi}):(T.mapPass.width!==T.map.width||T.mapPass.height!==T.map.height)&&T.mapPass.setSize(T.map.width,T.map.height),f.uniforms.shadow_pass.value=T.map.depthTexture,f.uniforms.resolution.value.set(T.map.width,T.map.height),f.uniforms.radius.value=T.radius,i.setRenderTarget(T.mapPass),i.clear(),i.renderBufferDirect(x,null,w,f,v,null),d.uniforms.shadow_pass.value=T.mapPass.texture,d.uniforms.resolution.value.set(T.map.width,T.map.height),d.uniforms.radius.value=T.radius,i.setRenderTarget(T.map),i.clear(),i.renderBufferDirect(x,null,w,d,v,null)}function b(T,x,w,U){let P=null,L=w.isPointLight===!0?T.customDistanceMaterial:T.customDepthMaterial;if(L!==void 0)P=L;else if(P=w.isPointLight===!0?l:a,i.localClippingEnabled&&x.clipShadows===!0&&Array.isArray(x.clippingPlanes)&&x.clippingPlanes.length!==0||x.displacementMap&&x.displacementScale!==0||x.alphaMap&&x.alphaTest>0||x.map&&x.alphaTest>0||x.alphaToCoverage===!0){let k=P.uuid,H=x.uuid,N=c[k];N===void 0&&(N={},c[k]=N);let W=N[H];W===void 0&&(W=P.clone(),N[H]=W,x.addEventListener("dispose",R)),P=W}if(P.visible=x.visible,P.wireframe=x.wireframe,U===ho?P.side=x.shadowSide!==null?x.shadowSide:x.side:P.side=x.shadowSide!==null?x.shadowSide:u[x.side],P.alphaMap=x.alphaMap,P.alphaTest=x.alphaToCoverage===!0?.5:x.alphaTest,P.map=x.map,P.clipShadows=x.clipShadows,P.clippingPlanes=x.clippingPlanes,P.clipIntersection=x.clipIntersection,P.displacementMap=x.displacementMap,P.displacementScale=x.displacementScale,P.displacementBias=x.displacementBias,P.wireframeLinewidth=x.wireframeLinewidth,P.linewidth=x.linewidth,w.isPointLight===!0&&P.isMeshDistanceMaterial===!0){let k=i.properties.get(P);k.light=w}return P}function M(T,x,w,U,P,L){if(T.visible===!1)return;if(T.layers.test(P)&&(T.isMesh||T.isLine||T.isPoints)&&(T.castShadow||T.receiveShadow&&L===ho)&&(!T.frustumCulled||T.intersectsFrustum(n))){T.modelViewMatrix.multiplyMatrices(w.matrixWorldInverse,T.matrixWorld);let N=t.update(T),W=T.material;if(Array.isArray(W)){let Y=N.groups;for(let V=0,ct=Y.length;V<ct;V++){let J=Y[V],j=W[J.materialIndex];if(j&&j.visible){let st=b(T,j,U,L);T.onBeforeShadow(i,T,x,w,N,st,J),i.renderBufferDirect(w,null,N,st,T,J),T.onAfterShadow(i,T,x,w,N,st,J)}}}else if(W.visible){let Y=b(T,W,U,L);T.onBeforeShadow(i,T,x,w,N,Y,null),i.renderBufferDirect(w,null,N,Y,T,null),T.onAfterShadow(i,T,x,w,N,Y,null)}}let H=T.children;for(let N=0,W=H.length;N<W;N++)M(H[N],x,w,U,P,L)}function R(T){T.target.removeEventListener("dispose",R);for(let w in c){let U=c[w],P=T.target.uuid;P in U&&(U[P].dispose(),delete U[P])}}}function rb(i,t){function e(){let O=!1,rt=new tn,nt=null,wt=new tn(0,0,0,0);return{setMask:function(gt){nt!==gt&&!O&&(i.colorMask(gt,gt,gt,gt),nt=gt)},setLocked:function(gt){O=gt},setClear:function(gt,Mt,Vt,Kt,lt){lt===!0&&(gt*=Kt,Mt*=Kt,Vt*=Kt),rt.set(gt,Mt,Vt,Kt),wt.equals(rt)===!1&&(i.clearColor(gt,Mt,Vt,Kt),wt.copy(rt))},reset:function(){O=!1,nt=null,wt.set(-1,0,0,0)}}}function n(){let O=!1,rt=!1,nt=null,wt=null,gt=null;return{setReversed:function(Mt){if(rt!==Mt){let Vt=t.get("EXT_clip_control");Mt?Vt.clipControlEXT(Vt.LOWER_LEFT_EXT,Vt.ZERO_TO_ONE_EXT):Vt.clipControlEXT(Vt.LOWER_LEFT_EXT,Vt.NEGATIVE_ONE_TO_ONE_EXT),rt=Mt;let Kt=gt;gt=null,this.setClear(Kt)}},getReversed:function(){return rt},setTest:function(Mt){Mt?St(i.DEPTH_TEST):Wt(i.DEPTH_TEST)},setMask:function(Mt){nt!==Mt&&!O&&(i.depthMask(Mt),nt=Mt)},setFunc:function(Mt){if(rt&&(Mt=Mm[Mt]),wt!==Mt){switch(Mt){case Ul:i.depthFunc(i.NEVER);break;case Fl:i.depthFunc(i.ALWAYS);break;case Ol:i.depthFunc(i.LESS);break;case Qr:i.depthFunc(i.LEQUAL);break;case Bl:i.depthFunc(i.EQUAL);break;case kl:i.depthFunc(i.GEQUAL);break;case zl:i.depthFunc(i.GREATER);break;case Hl:i.depthFunc(i.NOTEQUAL);break;default:i.depthFunc(i.LEQUAL)}wt=Mt}},setLocked:function(Mt){O=Mt},setClear:function(Mt){gt!==Mt&&(gt=Mt,rt&&(Mt=1-Mt),i.clearDepth(Mt))},reset:function(){O=!1,nt=null,wt=null,gt=null,rt=!1}}}function s(){let O=!1,rt=null,nt=null,wt=null,gt=null,Mt=null,Vt=null,Kt=null,lt=null;return{setTest:function(Bt){O||(Bt?St(i.STENCIL_TEST):Wt(i.STENCIL_TEST))},setMask:function(Bt){rt!==Bt&&!O&&(i.stencilMask(Bt),rt=Bt)},setFunc:function(Bt,jt,Rt){(nt!==Bt||wt!==jt||gt!==Rt)&&(i.stencilFunc(Bt,jt,Rt),nt=Bt,wt=jt,gt=Rt)},setOp:function(Bt,jt,Rt){(Mt!==Bt||Vt!==jt||Kt!==Rt)&&(i.stencilOp(Bt,jt,Rt),Mt=Bt,Vt=jt,Kt=Rt)},setLocked:function(Bt){O=Bt},setClear:function(Bt){lt!==Bt&&(i.clearStencil(Bt),lt=Bt)},reset:function(){O=!1,rt=null,nt=null,wt=null,gt=null,Mt=null,Vt=null,Kt=null,lt=null}}}let r=new e,o=new n,a=new s,l={},c=new WeakMap,h={},u={},f={},d=new WeakMap,p=[],v=null,g=!1,m=null,_=null,b=null,M=null,R=null,T=null,x=null,w=new ae(0,0,0),U=0,P=!1,L=null,k=null,H=null,N=null,W=null,Y=i.getParameter(i.MAX_COMBINED_TEXTURE_IMAGE_UNITS),V=!1,ct=0,J=i.getParameter(i.VERSION);J.indexOf("WebGL")!==-1?(ct=parseFloat(/^WebGL (\d)/.exec(J)[1]),V=ct>=1):J.indexOf("OpenGL ES")!==-1&&(ct=parseFloat(/^OpenGL ES (\d)/.exec(J)[1]),V=ct>=2);let j=null,st={},ft=i.getParameter(i.SCISSOR_BOX),ut=i.getParameter(i.VIEWPORT),Q=new tn().fromArray(ft),mt=new tn().fromArray(ut);function xt(O,rt,nt,wt){let gt=new Uint8Array(4),Mt=i.createTexture();i.bindTexture(O,Mt),i.texParameteri(O,i.TEXTURE_MIN_FILTER,i.NEAREST),i.texParameteri(O,i.TEXTURE_MAG_FILTER,i.NEAREST);for(let Vt=0;Vt<nt;Vt++)O===i.TEXTURE_3D||O===i.TEXTURE_2D_ARRAY?i.texImage3D(rt,0,i.RGBA,1,1,wt,0,i.RGBA,i.UNSIGNED_BYTE,gt):i.texImage2D(rt+Vt,0,i.RGBA,1,1,0,i.RGBA,i.UNSIGNED_BYTE,gt);return Mt}let At={};At[i.TEXTURE_2D]=xt(i.TEXTURE_2D,i.TEXTURE_2D,1),At[i.TEXTURE_CUBE_MAP]=xt(i.TEXTURE_CUBE_MAP,i.TEXTURE_CUBE_MAP_POSITIVE_X,6),At[i.TEXTURE_2D_ARRAY]=xt(i.TEXTURE_2D_ARRAY,i.TEXTURE_2D_ARRAY,1,1),At[i.TEXTURE_3D]=xt(i.TEXTURE_3D,i.TEXTURE_3D,1,1),r.setClear(0,0,0,1),o.setClear(1),a.setClear(0),St(i.DEPTH_TEST),o.setFunc(Qr),dn(!1),Oe(Yu),St(i.CULL_FACE),je(mr);function St(O){h[O]!==!0&&(i.enable(O),h[O]=!0)}function Wt(O){h[O]!==!1&&(i.disable(O),h[O]=!1)}function re(O,rt){return f[O]!==rt?(i.bindFramebuffer(O,rt),f[O]=rt,O===i.DRAW_FRAMEBUFFER&&(f[i.FRAMEBUFFER]=rt),O===i.FRAMEBUFFER&&(f[i.DRAW_FRAMEBUFFER]=rt),!0):!1}function Gt(O,rt){let nt=p,wt=!1;if(O){nt=d.get(rt),nt===void 0&&(nt=[],d.set(rt,nt));let gt=O.textures;if(nt.length!==gt.length||nt[0]!==i.COLOR_ATTACHMENT0){for(let Mt=0,Vt=gt.length;Mt<Vt;Mt++)nt[Mt]=i.COLOR_ATTACHMENT0+Mt;nt.length=gt.length,wt=!0}}else nt[0]!==i.BACK&&(nt[0]=i.BACK,wt=!0);wt&&i.drawBuffers(nt)}function de(O){return v!==O?(i.useProgram(O),v=O,!0):!1}let he={[gr]:i.FUNC_ADD,[Vp]:i.FUNC_SUBTRACT,[Wp]:i.FUNC_REVERSE_SUBTRACT};he[Xp]=i.MIN,he[qp]=i.MAX;let ie={[Yp]:i.ZERO,[Zp]:i.ONE,[$p]:i.SRC_COLOR,[Ku]:i.SRC_ALPHA,[em]:i.SRC_ALPHA_SATURATE,[Qp]:i.DST_COLOR,[Kp]:i.DST_ALPHA,[Jp]:i.ONE_MINUS_SRC_COLOR,[ju]:i.ONE_MINUS_SRC_ALPHA,[tm]:i.ONE_MINUS_DST_COLOR,[jp]:i.ONE_MINUS_DST_ALPHA,[nm]:i.CONSTANT_COLOR,[im]:i.ONE_MINUS_CONSTANT_COLOR,[sm]:i.CONSTANT_ALPHA,[rm]:i.ONE_MINUS_CONSTANT_ALPHA};function je(O,rt,nt,wt,gt,Mt,Vt,Kt,lt,Bt){if(O===mr){g===!0&&(Wt(i.BLEND),g=!1);return}if(g===!1&&(St(i.BLEND),g=!0),O!==Gp){if(O!==m||Bt!==P){if((_!==gr||R!==gr)&&(i.blendEquation(i.FUNC_ADD),_=gr,R=gr),Bt)switch(O){case uo:i.blendFuncSeparate(i.ONE,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case Zu:i.blendFunc(i.ONE,i.ONE);break;case $u:i.blendFuncSeparate(i.ZERO,i.ONE_MINUS_SRC_COLOR,i.ZERO,i.ONE);break;case Ju:i.blendFuncSeparate(i.DST_COLOR,i.ONE_MINUS_SRC_ALPHA,i.ZERO,i.ONE);break;default:Qt("WebGLState: Invalid blending: ",O);break}else switch(O){case uo:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case Zu:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE,i.ONE,i.ONE);break;case $u:Qt("WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true");break;case Ju:Qt("WebGLState: MultiplyBlending requires material.premultipliedAlpha = true");break;default:Qt("WebGLState: Invalid blending: ",O);break}b=null,M=null,T=null,x=null,w.set(0,0,0),U=0,m=O,P=Bt}return}gt=gt||rt,Mt=Mt||nt,Vt=Vt||wt,(rt!==_||gt!==R)&&(i.blendEquationSeparate(he[rt],he[gt]),_=rt,R=gt),(nt!==b||wt!==M||Mt!==T||Vt!==x)&&(i.blendFuncSeparate(ie[nt],ie[wt],ie[Mt],ie[Vt]),b=nt,M=wt,T=Mt,x=Vt),(Kt.equals(w)===!1||lt!==U)&&(i.blendColor(Kt.r,Kt.g,Kt.b,lt),w.copy(Kt),U=lt),m=O,P=!1}function Ve(O,rt){O.side===vn?Wt(i.CULL_FACE):St(i.CULL_FACE);let nt=O.side===ti;rt&&(nt=!nt),dn(nt),O.blending===uo&&O.transparent===!1?je(mr):je(O.blending,O.blendEquation,O.blendSrc,O.blendDst,O.blendEquationAlpha,O.blendSrcAlpha,O.blendDstAlpha,O.blendColor,O.blendAlpha,O.premultipliedAlpha),o.setFunc(O.depthFunc),o.setTest(O.depthTest),o.setMask(O.depthWrite),r.setMask(O.colorWrite);let wt=O.stencilWrite;a.setTest(wt),wt&&(a.setMask(O.stencilWriteMask),a.setFunc(O.stencilFunc,O.stencilRef,O.stencilFuncMask),a.setOp(O.stencilFail,O.stencilZFail,O.stencilZPass)),be(O.polygonOffset,O.polygonOffsetFactor,O.polygonOffsetUnits),O.alphaToCoverage===!0?St(i.SAMPLE_ALPHA_TO_COVERAGE):Wt(i.SAMPLE_ALPHA_TO_COVERAGE)}function dn(O){L!==O&&(O?i.frontFace(i.CW):i.frontFace(i.CCW),L=O)}function Oe(O){O!==kp?(St(i.CULL_FACE),O!==k&&(O===Yu?i.cullFace(i.BACK):O===zp?i.cullFace(i.FRONT):i.cullFace(i.FRONT_AND_BACK))):Wt(i.CULL_FACE),k=O}function In(O){O!==H&&(V&&i.lineWidth(O),H=O)}function be(O,rt,nt){O?(St(i.POLYGON_OFFSET_FILL),(N!==rt||W!==nt)&&(N=rt,W=nt,o.getReversed()&&(rt=-rt,nt=-nt),i.polygonOffset(rt,nt))):Wt(i.POLYGON_OFFSET_FILL)}function wn(O){O?St(i.SCISSOR_TEST):Wt(i.SCISSOR_TEST)}function sn(O){O===void 0&&(O=i.TEXTURE0+Y-1),j!==O&&(i.activeTexture(O),j=O)}function pn(O,rt,nt){nt===void 0&&(j===null?nt=i.TEXTURE0+Y-1:nt=j);let wt=st[nt];wt===void 0&&(wt={type:void 0,texture:void 0},st[nt]=wt),(wt.type!==O||wt.texture!==rt)&&(j!==nt&&(i.activeTexture(nt),j=nt),i.bindTexture(O,rt||At[O]),wt.type=O,wt.texture=rt)}function B(){let O=st[j];O!==void 0&&O.type!==void 0&&(i.bindTexture(O.type,null),O.type=void 0,O.texture=void 0)}function Ct(){try{i.compressedTexImage2D(...arguments)}catch(O){Qt("WebGLState:",O)}}function $t(){try{i.compressedTexImage3D(...arguments)}catch(O){Qt("WebGLState:",O)}}function oe(){try{i.texSubImage2D(...arguments)}catch(O){Qt("WebGLState:",O)}}function bt(){try{i.texSubImage3D(...arguments)}catch(O){Qt("WebGLState:",O)}}function ke(){try{i.compressedTexSubImage2D(...arguments)}catch(O){Qt("WebGLState:",O)}}function Ht(){try{i.compressedTexSubImage3D(...arguments)}catch(O){Qt("WebGLState:",O)}}function Yt(){try{i.texStorage2D(...arguments)}catch(O){Qt("WebGLState:",O)}}function C(){try{i.texStorage3D(...arguments)}catch(O){Qt("WebGLState:",O)}}function S(){try{i.texImage2D(...arguments)}catch(O){Qt("WebGLState:",O)}}function X(){try{i.texImage3D(...arguments)}catch(O){Qt("WebGLState:",O)}}function ht(O){return u[O]!==void 0?u[O]:i.getParameter(O)}function ot(O,rt){u[O]!==rt&&(i.pixelStorei(O,rt),u[O]=rt)}function _t(O){Q.equals(O)===!1&&(i.scissor(O.x,O.y,O.z,O.w),Q.copy(O))}function yt(O){mt.equals(O)===!1&&(i.viewport(O.x,O.y,O.z,O.w),mt.copy(O))}function et(O,rt){let nt=c.get(rt);nt===void 0&&(nt=new WeakMap,c.set(rt,nt));let wt=nt.get(O);wt===void 0&&(wt=i.getUniformBlockIndex(rt,O.name),i.uniformBlockBinding(rt,wt,wt),nt.set(O,wt))}function it(O,rt,nt){let gt=c.get(rt).get(O);l[gt]!==nt&&(i.bindBufferBase(i.UNIFORM_BUFFER,gt,nt),l[gt]=nt)}function pt(){i.disable(i.BLEND),i.disable(i.CULL_FACE),i.disable(i.DEPTH_TEST),i.disable(i.POLYGON_OFFSET_FILL),i.disable(i.SCISSOR_TEST),i.disable(i.STENCIL_TEST),i.disable(i.SAMPLE_ALPHA_TO_COVERAGE),i.blendEquation(i.FUNC_ADD),i.blendFunc(i.ONE,i.ZERO),i.blendFuncSeparate(i.ONE,i.ZERO,i.ONE,i.ZERO),i.blendColor(0,0,0,0),i.colorMask(!0,!0,!0,!0),i.clearColor(0,0,0,0),i.depthMask(!0),i.depthFunc(i.LESS),o.setReversed(!1),i.clearDepth(1),i.stencilMask(4294967295),i.stencilFunc(i.ALWAYS,0,4294967295),i.stencilOp(i.KEEP,i.KEEP,i.KEEP),i.clearStencil(0),i.cullFace(i.BACK),i.frontFace(i.CCW),i.polygonOffset(0,0),i.activeTexture(i.TEXTURE0),i.bindFramebuffer(i.FRAMEBUFFER,null),i.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),i.bindFramebuffer(i.READ_FRAMEBUFFER,null),i.useProgram(null),i.lineWidth(1),i.scissor(0,0,i.canvas.width,i.canvas.height),i.viewport(0,0,i.canvas.width,i.canvas.height),i.pixelStorei(i.PACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,!1),i.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,!1),i.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,i.BROWSER_DEFAULT_WEBGL),i.pixelStorei(i.PACK_ROW_LENGTH,0),i.pixelStorei(i.PACK_SKIP_PIXELS,0),i.pixelStorei(i.PACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_ROW_LENGTH,0),i.pixelStorei(i.UNPACK_IMAGE_HEIGHT,0),i.pixelStorei(i.UNPACK_SKIP_PIXELS,0),i.pixelStorei(i.UNPACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_SKIP_IMAGES,0),h={},u={},j=null,st={},f={},l={},d=new WeakMap,p=[],v=null,g=!1,m=null,_=null,b=null,M=null,R=null,T=null,x=null,w=new ae(0,0,0),U=0,P=!1,L=null,k=null,H=null,N=null,W=null,Q.set(0,0,i.canvas.width,i.canvas.height),mt.set(0,0,i.canvas.width,i.canvas.height),r.reset(),o.reset(),a.reset()}return{buffers:{color:r,depth:o,stencil:a},enable:St,disable:Wt,bindFramebuffer:re,drawBuffers:Gt,useProgram:de,setBlending:je,setMaterial:Ve,setFlipSided:dn,setCullFace:Oe,setLineWidth:In,setPolygonOffset:be,setScissorTest:wn,activeTexture:sn,bindTexture:pn,unbindTexture:B,compressedTexImage2D:Ct,compressedTexImage3D:$t,texImage2D:S,texImage3D:X,pixelStorei:ot,getParameter:ht,updateUBOMapping:et,uniformBlockBinding:it,texStorage2D:Yt,texStorage3D:C,texSubImage2D:oe,texSubImage3D:bt,compressedTexSubImage2D:ke,compressedTexSubImage3D:Ht,scissor:_t,viewport:yt,reset:pt}}function ob(i,t,e,n,s,r,o){let a=t.has("WEBGL_multisampled_render_to_texture")?t.get("WEBGL_multisampled_render_to_texture"):null,l=typeof navigator>"u"?!1:/OculusBrowser/g.test(navigator.userAgent),c=new It,h=new WeakMap,u=new Set,f,d=new WeakMap,p=new Set,v=new FinalizationRegistry(C=>p.delete(C)),g=!1;try{g=typeof OffscreenCanvas<"u"&&new OffscreenCanvas(1,1).getContext("2d")!==null}catch{}function m(C,S){return g?new OffscreenCanvas(C,S):aa("canvas")}function _(C,S,X){let ht=1,ot=Yt(C);if((ot.width>X||ot.height>X)&&(ht=X/Math.max(ot.width,ot.height)),ht<1)if(typeof HTMLImageElement<"u"&&C instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&C instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&C instanceof ImageBitmap||typeof VideoFrame<"u"&&C instanceof VideoFrame){let _t=Math.floor(ht*ot.width),yt=Math.floor(ht*ot.height);f===void 0&&(f=m(_t,yt));let et=S?m(_t,yt):f;return et.width=_t,et.height=yt,et.getContext("2d").drawImage(C,0,0,_t,yt),Zt("WebGLRenderer: Texture has been resized from ("+ot.width+"x"+ot.height+") to ("+_t+"x"+yt+")."),et}else return"data"in C&&Zt("WebGLRenderer: Image in DataTexture is too big ("+ot.width+"x"+ot.height+")."),C;return C}function b(C){return C.generateMipmaps}function M(C){i.generateMipmap(C)}function R(C){return C.isWebGLCubeRenderTarget?i.TEXTURE_CUBE_MAP:C.isWebGL3DRenderTarget?i.TEXTURE_3D:C.isWebGLArrayRenderTarget||C.isCompressedArrayTexture?i.TEXTURE_2D_ARRAY:i.TEXTURE_2D}function T(C,S,X,ht,ot,_t=!1){if(C!==null){if(i[C]!==void 0)return i[C];Zt("WebGLRenderer: Attempt to use non-existing WebGL internal format '"+C+"'")}let yt;ht&&(yt=t.get("EXT_texture_norm16"),yt||Zt("WebGLRenderer: Unable to use normalized textures without EXT_texture_norm16 extension"));let et=S;if(S===i.RED&&(X===i.FLOAT&&(et=i.R32F),X===i.HALF_FLOAT&&(et=i.R16F),X===i.UNSIGNED_BYTE&&(et=i.R8),X===i.UNSIGNED_SHORT&&yt&&(et=yt.R16_EXT),X===i.SHORT&&yt&&(et=yt.R16_SNORM_EXT)),S===i.RED_INTEGER&&(X===i.UNSIGNED_BYTE&&(et=i.R8UI),X===i.UNSIGNED_SHORT&&(et=i.R16UI),X===i.UNSIGNED_INT&&(et=i.R32UI),X===i.BYTE&&(et=i.R8I),X===i.SHORT&&(et=i.R16I),X===i.INT&&(et=i.R32I)),S===i.RG&&(X===i.FLOAT&&(et=i.RG32F),X===i.HALF_FLOAT&&(et=i.RG16F),X===i.UNSIGNED_BYTE&&(et=i.RG8),X===i.UNSIGNED_SHORT&&yt&&(et=yt.RG16_EXT),X===i.SHORT&&yt&&(et=yt.RG16_SNORM_EXT)),S===i.RG_INTEGER&&(X===i.UNSIGNED_BYTE&&(et=i.RG8UI),X===i.UNSIGNED_SHORT&&(et=i.RG16UI),X===i.UNSIGNED_INT&&(et=i.RG32UI),X===i.BYTE&&(et=i.RG8I),X===i.SHORT&&(et=i.RG16I),X===i.INT&&(et=i.RG32I)),S===i.RGB_INTEGER&&(X===i.UNSIGNED_BYTE&&(et=i.RGB8UI),X===i.UNSIGNED_SHORT&&(et=i.RGB16UI),X===i.UNSIGNED_INT&&(et=i.RGB32UI),X===i.BYTE&&(et=i.RGB8I),X===i.SHORT&&(et=i.RGB16I),X===i.INT&&(et=i.RGB32I)),S===i.RGBA_INTEGER&&(X===i.UNSIGNED_BYTE&&(et=i.RGBA8UI),X===i.UNSIGNED_SHORT&&(et=i.RGBA16UI),X===i.UNSIGNED_INT&&(et=i.RGBA32UI),X===i.BYTE&&(et=i.RGBA8I),X===i.SHORT&&(et=i.RGBA16I),X===i.INT&&(et=i.RGBA32I)),S===i.RGB&&(X===i.UNSIGNED_SHORT&&yt&&(et=yt.RGB16_EXT),X===i.SHORT&&yt&&(et=yt.RGB16_SNORM_EXT),X===i.UNSIGNED_INT_5_9_9_9_REV&&(et=i.RGB9_E5),X===i.UNSIGNED_INT_10F_11F_11F_REV&&(et=i.R11F_G11F_B10F)),S===i.RGBA){let it=_t?oa:ve.getTransfer(ot);X===i.FLOAT&&(et=i.RGBA32F),X===i.HALF_FLOAT&&(et=i.RGBA16F),X===i.UNSIGNED_BYTE&&(et=it===Le?i.SRGB8_ALPHA8:i.RGBA8),X===i.UNSIGNED_SHORT&&yt&&(et=yt.RGBA16_EXT),X===i.SHORT&&yt&&(et=yt.RGBA16_SNORM_EXT),X===i.UNSIGNED_SHORT_4_4_4_4&&(et=i.RGBA4),X===i.UNSIGNED_SHORT_5_5_5_1&&(et=i.RGB5_A1)}return(et===i.R16F||et===i.R32F||et===i.RG16F||et===i.RG32F||et===i.RGBA16F||et===i.RGBA32F)&&t.get("EXT_color_buffer_float"),et}function x(C,S){let X;return C?S===null||S===Hi||S===xr?X=i.DEPTH24_STENCIL8:S===Gi?X=i.DEPTH32F_STENCIL8:S===po&&(X=i.DEPTH24_STENCIL8,Zt("DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.")):S===null||S===Hi||S===xr?X=i.DEPTH_COMPONENT24:S===Gi?X=i.DEPTH_COMPONENT32F:S===po&&(X=i.DEPTH_COMPONENT16),X}function w(C,S){return b(C)===!0||C.isFramebufferTexture&&C.minFilter!==On&&C.minFilter!==jn?Math.log2(Math.max(S.width,S.height))+1:C.mipmaps.length>0?C.mipmaps.length:C.isCompressedTexture&&Array.isArray(C.image)?S.mipmaps.length:1}function U(C){let S=new WeakRef(C);n.get(C).__ref=S,p.add(S),v.register(C,S,S)}function P(C){let S=n.get(C).__ref;S!==void 0&&(p.delete(S),v.unregister(S))}function L(C){H(C.target)}function k(C){N(C.target)}function H(C){C.removeEventListener("dispose",L),P(C),Y(C),C.isVideoTexture&&h.delete(C),C.isHTMLTexture&&u.delete(C)}function N(C){C.removeEventListener("dispose",k),P(C),ct(C)}function W(){for(let C of p){let S=C.deref();S!==void 0&&(S.isRenderTarget===!0?N(S):H(S))}p.clear(),u.clear()}function Y(C){let S=n.get(C);if(S.__webglInit===void 0)return;let X=C.source,ht=d.get(X);if(ht){let ot=ht[S.__cacheKey];ot.usedTimes--,ot.usedTimes===0&&V(C),Object.keys(ht).length===0&&d.delete(X)}n.remove(C)}function V(C){let S=n.get(C);i.deleteTexture(S.__webglTexture);let X=C.source,ht=d.get(X);delete ht[S.__cacheKey],o.memory.textures--}function ct(C){let S=n.get(C);S.__depthDisposeCallback&&S.__depthDisposeCallback();let X=C.depthTexture;if(X&&X.renderTarget===C&&H(X),C.isWebGLCubeRenderTarget)for(let ot=0;ot<6;ot++){if(Array.isArray(S.__webglFramebuffer[ot]))for(let _t=0;_t<S.__webglFramebuffer[ot].length;_t++)i.deleteFramebuffer(S.__webglFramebuffer[ot][_t]);else i.deleteFramebuffer(S.__webglFramebuffer[ot]);S.__webglDepthbuffer&&i.deleteRenderbuffer(S.__webglDepthbuffer[ot])}else{if(Array.isArray(S.__webglFramebuffer))for(let ot=0;ot<S.__webglFramebuffer.length;ot++)i.deleteFramebuffer(S.__webglFramebuffer[ot]);else i.deleteFramebuffer(S.__webglFramebuffer);if(S.__webglDepthbuffer&&i.deleteRenderbuffer(S.__webglDepthbuffer),S.__webglMultisampledFramebuffer&&i.deleteFramebuffer(S.__webglMultisampledFramebuffer),S.__webglColorRenderbuffer)for(let ot=0;ot<S.__webglColorRenderbuffer.length;ot++)S.__webglColorRenderbuffer[ot]&&i.deleteRenderbuffer(S.__webglColorRenderbuffer[ot]);S.__webglDepthRenderbuffer&&i.deleteRenderbuffer(S.__webglDepthRenderbuffer)}let ht=C.textures;for(let ot=0,_t=ht.length;ot<_t;ot++){let yt=n.get(ht[ot]);yt.__webglTexture&&(i.deleteTexture(yt.__webglTexture),o.memory.textures--),n.remove(ht[ot])}n.remove(C)}let J=0;function j(){J=0}function st(){return J}function ft(C){J=C}function ut(){let C=J;return C>=s.maxTextures&&Zt("WebGLTextures: Trying to use "+(C+1)+" texture units while this GPU supports only "+s.maxTextures),J+=1,C}function Q(C){let S=[];return S.push(C.wrapS),S.push(C.wrapT),S.push(C.wrapR||0),S.push(C.magFilter),S.push(C.minFilter),S.push(C.anisotropy),S.push(C.internalFormat),S.push(C.format),S.push(C.type),S.push(C.generateMipmaps),S.push(C.mipmapsAutoUpdate),S.push(C.premultiplyAlpha),S.push(C.flipY),S.push(C.unpackAlignment),S.push(C.colorSpace),S.join()}function mt(C,S){let X=n.get(C);if(C.isVideoTexture&&ke(C),C.isRenderTargetTexture===!1&&C.isExternalTexture!==!0&&C.version>0&&X.__version!==C.version){let ht=C.image;if(ht===null)Zt("WebGLRenderer: Texture marked for update but no image data found.");else if(ht.complete===!1)Zt("WebGLRenderer: Texture marked for update but image is incomplete");else{Ve(X,C,S);return}}else C.isExternalTexture&&(X.__webglTexture=C.sourceTexture?C.sourceTexture:null);e.bindTexture(i.TEXTURE_2D,X.__webglTexture,i.TEXTURE0+S)}function xt(C,S){let X=n.get(C);if(C.isRenderTargetTexture===!1&&C.version>0&&X.__version!==C.version){Ve(X,C,S);return}else C.isExternalTexture&&(X.__webglTexture=C.sourceTexture?C.sourceTexture:null);e.bindTexture(i.TEXTURE_2D_ARRAY,X.__webglTexture,i.TEXTURE0+S)}function At(C,S){let X=n.get(C);if(C.isRenderTargetTexture===!1&&C.version>0&&X.__version!==C.version){Ve(X,C,S);return}e.bindTexture(i.TEXTURE_3D,X.__webglTexture,i.TEXTURE0+S)}function St(C,S){let X=n.get(C);if(C.version>0&&X.__version!==C.version){dn(X,C,S);return}e.bindTexture(i.TEXTURE_CUBE_MAP,X.__webglTexture,i.TEXTURE0+S)}let Wt={[Gl]:i.REPEAT,[ns]:i.CLAMP_TO_EDGE,[Vl]:i.MIRRORED_REPEAT},re={[On]:i.NEAREST,[lm]:i.NEAREST_MIPMAP_NEAREST,[Ia]:i.NEAREST_MIPMAP_LINEAR,[jn]:i.LINEAR,[Ec]:i.LINEAR_MIPMAP_NEAREST,[Ps]:i.LINEAR_MIPMAP_LINEAR},Gt={[fm]:i.NEVER,[xf]:i.ALWAYS,[dm]:i.LESS,[gf]:i.LEQUAL,[pm]:i.EQUAL,[_f]:i.GEQUAL,[mm]:i.GREATER,[gm]:i.NOTEQUAL};function de(C,S){if(S.type===Gi&&t.has("OES_texture_float_linear")===!1&&(S.magFilter===jn||S.magFilter===Ec||S.magFilter===Ia||S.magFilter===Ps||S.minFilter===jn||S.minFilter===Ec||S.minFilter===Ia||S.minFilter===Ps)&&Zt("WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device."),i.texParameteri(C,i.TEXTURE_WRAP_S,Wt[S.wrapS]),i.texParameteri(C,i.TEXTURE_WRAP_T,Wt[S.wrapT]),(C===i.TEXTURE_3D||C===i.TEXTURE_2D_ARRAY)&&i.texParameteri(C,i.TEXTURE_WRAP_R,Wt[S.wrapR]),i.texParameteri(C,i.TEXTURE_MAG_FILTER,re[S.magFilter]),i.texParameteri(C,i.TEXTURE_MIN_FILTER,re[S.minFilter]),S.compareFunction&&(i.texParameteri(C,i.TEXTURE_COMPARE_MODE,i.COMPARE_REF_TO_TEXTURE),i.texParameteri(C,i.TEXTURE_COMPARE_FUNC,Gt[S.compareFunction])),t.has("EXT_texture_filter_anisotropic")===!0){if(S.magFilter===On||S.minFilter!==Ia&&S.minFilter!==Ps||S.type===Gi&&t.has("OES_texture_float_linear")===!1)return;if(S.anisotropy>1||n.get(S).__currentAnisotropy){let X=t.get("EXT_texture_filter_anisotropic");i.texParameterf(C,X.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(S.anisotropy,s.getMaxAnisotropy())),n.get(S).__currentAnisotropy=S.anisotropy}}}function he(C,S){let X=!1;C.__webglInit===void 0&&(C.__webglInit=!0,S.addEventListener("dispose",L),U(S));let ht=S.source,ot=d.get(ht);ot===void 0&&(ot={},d.set(ht,ot));let _t=Q(S);if(_t!==C.__cacheKey){ot[_t]===void 0&&(ot[_t]={texture:i.createTexture(),usedTimes:0},o.memory.textures++,X=!0),ot[_t].usedTimes++;let yt=ot[C.__cacheKey];yt!==void 0&&(ot[C.__cacheKey].usedTimes--,yt.usedTimes===0&&V(S)),C.__cacheKey=_t,C.__webglTexture=ot[_t].texture}return X}function ie(C,S,X){return Math.floor(Math.floor(C/X)/S)}function je(C,S,X,ht){let _t=C.updateRanges;if(_t.length===0)e.texSubImage2D(i.TEXTURE_2D,0,0,0,S.width,S.height,X,ht,S.data);else{_t.sort((O,rt)=>O.start-rt.start);let yt=0;for(let O=1;O<_t.length;O++){let rt=_t[yt],nt=_t[O],wt=rt.start+rt.count,gt=ie(nt.start,S.width,4),Mt=ie(rt.start,S.width,4);nt.start<=wt+1&&gt===Mt&&ie(nt.start+nt.count-1,S.width,4)===gt?rt.count=Math.max(rt.count,nt.start+nt.count-rt.start):(++yt,_t[yt]=nt)}_t.length=yt+1;let et=e.getParameter(i.UNPACK_ROW_LENGTH),it=e.getParameter(i.UNPACK_SKIP_PIXELS),pt=e.getParameter(i.UNPACK_SKIP_ROWS);e.pixelStorei(i.UNPACK_ROW_LENGTH,S.width);for(let O=0,rt=_t.length;O<rt;O++){let nt=_t[O],wt=Math.floor(nt.start/4),gt=Math.ceil(nt.count/4),Mt=wt%S.width,Vt=Math.floor(wt/S.width),Kt=gt,lt=1;e.pixelStorei(i.UNPACK_SKIP_PIXELS,Mt),e.pixelStorei(i.UNPACK_SKIP_ROWS,Vt),e.texSubImage2D(i.TEXTURE_2D,0,Mt,Vt,Kt,lt,X,ht,S.data)}C.clearUpdateRanges(),e.pixelStorei(i.UNPACK_ROW_LENGTH,et),e.pixelStorei(i.UNPACK_SKIP_PIXELS,it),e.pixelStorei(i.UNPACK_SKIP_ROWS,pt)}}function Ve(C,S,X){let ht=i.TEXTURE_2D;(S.isDataArrayTexture||S.isCompressedArrayTexture)&&(ht=i.TEXTURE_2D_ARRAY),S.isData3DTexture&&(ht=i.TEXTURE_3D);let ot=he(C,S),_t=S.source;e.bindTexture(ht,C.__webglTexture,i.TEXTURE0+X);let yt=n.get(_t);if(_t.version!==yt.__version||ot===!0){if(e.activeTexture(i.TEXTURE0+X),(typeof ImageBitmap<"u"&&S.image instanceof ImageBitmap)===!1){let lt=ve.getPrimaries(ve.workingColorSpace),Bt=S.colorSpace===Ls?null:ve.getPrimaries(S.colorSpace),jt=S.colorSpace===Ls||lt===Bt?i.NONE:i.BROWSER_DEFAULT_WEBGL;e.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,S.flipY),e.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,S.premultiplyAlpha),e.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,jt)}e.pixelStorei(i.UNPACK_ALIGNMENT,S.unpackAlignment);let it=_(S.image,!1,s.maxTextureSize);it=Ht(S,it);let pt=r.convert(S.format,S.colorSpace),O=r.convert(S.type),rt=T(S.internalFormat,pt,O,S.normalized,S.colorSpace,S.isVideoTexture);de(ht,S);let nt,wt=S.mipmaps,gt=S.isVideoTexture!==!0,Mt=yt.__version===void 0||ot===!0,Vt=_t.dataReady,Kt=w(S,it);if(S.isDepthTexture)rt=x(S.format===Is,S.type),Mt&&(gt?e.texStorage2D(i.TEXTURE_2D,1,rt,it.width,it.height):e.texImage2D(i.TEXTURE_2D,0,rt,it.width,it.height,0,pt,O,null));else if(S.isDataTexture)if(wt.length>0){gt&&Mt&&e.texStorage2D(i.TEXTURE_2D,Kt,rt,wt[0].width,wt[0].height);for(let lt=0,Bt=wt.length;lt<Bt;lt++)nt=wt[lt],gt?Vt&&e.texSubImage2D(i.TEXTURE_2D,lt,0,0,nt.width,nt.height,pt,O,nt.data):e.texImage2D(i.TEXTURE_2D,lt,rt,nt.width,nt.height,0,pt,O,nt.data);S.generateMipmaps=!1}else gt?(Mt&&e.texStorage2D(i.TEXTURE_2D,Kt,rt,it.width,it.height),Vt&&je(S,it,pt,O)):e.texImage2D(i.TEXTURE_2D,0,rt,it.width,it.height,0,pt,O,it.data);else if(S.isCompressedTexture)if(S.isCompressedArrayTexture){gt&&Mt&&e.texStorage3D(i.TEXTURE_2D_ARRAY,Kt,rt,wt[0].width,wt[0].height,it.depth);for(let lt=0,Bt=wt.length;lt<Bt;lt++)if(nt=wt[lt],S.format!==Wi)if(pt!==null)if(gt){if(Vt)if(S.layerUpdates.size>0){let jt=Cf(nt.width,nt.height,S.format,S.type);for(let Rt of S.layerUpdates){let le=nt.data.subarray(Rt*jt/nt.data.BYTES_PER_ELEMENT,(Rt+1)*jt/nt.data.BYTES_PER_ELEMENT);e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,lt,0,0,Rt,nt.width,nt.height,1,pt,le)}}else e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,lt,0,0,0,nt.width,nt.height,it.depth,pt,nt.data)}else e.compressedTexImage3D(i.TEXTURE_2D_ARRAY,lt,rt,nt.width,nt.height,it.depth,0,nt.data,0,0);else Zt("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()");else gt?Vt&&e.texSubImage3D(i.TEXTURE_2D_ARRAY,lt,0,0,0,nt.width,nt.height,it.depth,pt,O,nt.data):e.texImage3D(i.TEXTURE_2D_ARRAY,lt,rt,nt.width,nt.height,it.depth,0,pt,O,nt.data);S.layerUpdates.size>0&&S.clearLayerUpdates()}else{gt&&Mt&&e.texStorage2D(i.TEXTURE_2D,Kt,rt,wt[0].width,wt[0].height);for(let lt=0,Bt=wt.length;lt<Bt;lt++)nt=wt[lt],S.format!==Wi?pt!==null?gt?Vt&&e.compressedTexSubImage2D(i.TEXTURE_2D,lt,0,0,nt.width,nt.height,pt,nt.data):e.compressedTexImage2D(i.TEXTURE_2D,lt,rt,nt.width,nt.height,0,nt.data):Zt("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()"):gt?Vt&&e.texSubImage2D(i.TEXTURE_2D,lt,0,0,nt.width,nt.height,pt,O,nt.data):e.texImage2D(i.TEXTURE_2D,lt,rt,nt.width,nt.height,0,pt,O,nt.data)}else if(S.isDataArrayTexture)if(gt){if(Mt&&e.texStorage3D(i.TEXTURE_2D_ARRAY,Kt,rt,it.width,it.height,it.depth),Vt)if(S.layerUpdates.size>0){let lt=Cf(it.width,it.height,S.format,S.type);for(let Bt of S.layerUpdates){let jt=it.data.subarray(Bt*lt/it.data.BYTES_PER_ELEMENT,(Bt+1)*lt/it.data.BYTES_PER_ELEMENT);e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,Bt,it.width,it.height,1,pt,O,jt)}S.clearLayerUpdates()}else e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,0,it.width,it.height,it.depth,pt,O,it.data)}else e.texImage3D(i.TEXTURE_2D_ARRAY,0,rt,it.width,it.height,it.depth,0,pt,O,it.data);else if(S.isData3DTexture)gt?(Mt&&e.texStorage3D(i.TEXTURE_3D,Kt,rt,it.width,it.height,it.depth),Vt&&e.texSubImage3D(i.TEXTURE_3D,0,0,0,0,it.width,it.height,it.depth,pt,O,it.data)):e.texImage3D(i.TEXTURE_3D,0,rt,it.width,it.height,it.depth,0,pt,O,it.data);else if(S.isFramebufferTexture){if(Mt)if(gt)e.texStorage2D(i.TEXTURE_2D,Kt,rt,it.width,it.height);else{let lt=it.width,Bt=it.height;for(let jt=0;jt<Kt;jt++)e.texImage2D(i.TEXTURE_2D,jt,rt,lt,Bt,0,pt,O,null),lt>>=1,Bt>>=1}}else if(S.isHTMLTexture){if("texElementImage2D"in i){let lt=i.canvas;if(lt.hasAttribute("layoutsubtree")||lt.setAttribute("layoutsubtree","true"),it.parentNode!==lt){lt.appendChild(it),u.add(S),lt.onpaint=Bt=>{let jt=Bt.changedElements;for(let Rt of u)jt.includes(Rt.image)&&(Rt.needsUpdate=!0)},lt.requestPaint();return}if(i.texElementImage2D.length===3)i.texElementImage2D(i.TEXTURE_2D,i.RGBA8,it);else{let jt=i.RGBA,Rt=i.RGBA,le=i.UNSIGNED_BYTE;i.texElementImage2D(i.TEXTURE_2D,0,jt,Rt,le,it)}i.texParameteri(i.TEXTURE_2D,i.TEXTURE_MIN_FILTER,i.LINEAR),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_S,i.CLAMP_TO_EDGE),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_T,i.CLAMP_TO_EDGE)}}else if(wt.length>0){if(gt&&Mt){let lt=Yt(wt[0]);e.texStorage2D(i.TEXTURE_2D,Kt,rt,lt.width,lt.height)}for(let lt=0,Bt=wt.length;lt<Bt;lt++)nt=wt[lt],gt?Vt&&e.texSubImage2D(i.TEXTURE_2D,lt,0,0,pt,O,nt):e.texImage2D(i.TEXTURE_2D,lt,rt,pt,O,nt);S.generateMipmaps=!1}else if(gt){if(Mt){let lt=Yt(it);e.texStorage2D(i.TEXTURE_2D,Kt,rt,lt.width,lt.height)}Vt&&e.texSubImage2D(i.TEXTURE_2D,0,0,0,pt,O,it)}else e.texImage2D(i.TEXTURE_2D,0,rt,pt,O,it);b(S)&&S.mipmapsAutoUpdate===!0&&M(ht),yt.__version=_t.version,S.onUpdate&&S.onUpdate(S)}C.__version=S.version}function dn(C,S,X){if(S.image.length!==6)return;let ht=he(C,S),ot=S.source;e.bindTexture(i.TEXTURE_CUBE_MAP,C.__webglTexture,i.TEXTURE0+X);let _t=n.get(ot);if(ot.version!==_t.__version||ht===!0){e.activeTexture(i.TEXTURE0+X);let yt=ve.getPrimaries(ve.workingColorSpace),et=S.colorSpace===Ls?null:ve.getPrimaries(S.colorSpace),it=S.colorSpace===Ls||yt===et?i.NONE:i.BROWSER_DEFAULT_WEBGL;e.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,S.flipY),e.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,S.premultiplyAlpha),e.pixelStorei(i.UNPACK_ALIGNMENT,S.unpackAlignment),e.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,it);let pt=S.isCompressedTexture||S.image[0].isCompressedTexture,O=S.image[0]&&S.image[0].isDataTexture,rt=[];for(let Rt=0;Rt<6;Rt++)!pt&&!O?rt[Rt]=_(S.image[Rt],!0,s.maxCubemapSize):rt[Rt]=O?S.image[Rt].image:S.image[Rt],rt[Rt]=Ht(S,rt[Rt]);let nt=rt[0],wt=r.convert(S.format,S.colorSpace),gt=r.convert(S.type),Mt=T(S.internalFormat,wt,gt,S.normalized,S.colorSpace),Vt=S.isVideoTexture!==!0,Kt=_t.__version===void 0||ht===!0,lt=ot.dataReady,Bt=w(S,nt);de(i.TEXTURE_CUBE_MAP,S);let jt;if(S.isDepthTexture){if(Mt=x(S.format===Is,S.type),Kt)if(Vt)e.texStorage2D(i.TEXTURE_CUBE_MAP,1,Mt,nt.width,nt.height);else for(let Rt=0;Rt<6;Rt++)e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,0,Mt,nt.width,nt.height,0,wt,gt,null)}else if(pt){Vt&&Kt&&e.texStorage2D(i.TEXTURE_CUBE_MAP,Bt,Mt,nt.width,nt.height);for(let Rt=0;Rt<6;Rt++){jt=rt[Rt].mipmaps;for(let le=0;le<jt.length;le++){let qe=jt[le];S.format!==Wi?wt!==null?Vt?lt&&e.compressedTexSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,le,0,0,qe.width,qe.height,wt,qe.data):e.compressedTexImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,le,Mt,qe.width,qe.height,0,qe.data):Zt("WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()"):Vt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,le,0,0,qe.width,qe.height,wt,gt,qe.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,le,Mt,qe.width,qe.height,0,wt,gt,qe.data)}}}else{if(jt=S.mipmaps,Vt&&Kt){jt.length>0&&Bt++;let Rt=Yt(rt[0]);e.texStorage2D(i.TEXTURE_CUBE_MAP,Bt,Mt,Rt.width,Rt.height)}for(let Rt=0;Rt<6;Rt++)if(O){Vt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,0,0,0,rt[Rt].width,rt[Rt].height,wt,gt,rt[Rt].data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,0,Mt,rt[Rt].width,rt[Rt].height,0,wt,gt,rt[Rt].data);for(let le=0;le<jt.length;le++){let qn=jt[le].image[Rt].image;Vt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,le+1,0,0,qn.width,qn.height,wt,gt,qn.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,le+1,Mt,qn.width,qn.height,0,wt,gt,qn.data)}}else{Vt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,0,0,0,wt,gt,rt[Rt]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,0,Mt,wt,gt,rt[Rt]);for(let le=0;le<jt.length;le++){let qe=jt[le];Vt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,le+1,0,0,wt,gt,qe.image[Rt]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,le+1,Mt,wt,gt,qe.image[Rt])}}}b(S)&&S.mipmapsAutoUpdate===!0&&M(i.TEXTURE_CUBE_MAP),_t.__version=ot.version,S.onUpdate&&S.onUpdate(S)}C.__version=S.version}function Oe(C,S,X,ht,ot,_t){let yt=r.convert(X.format,X.colorSpace),et=r.convert(X.type),it=T(X.internalFormat,yt,et,X.normalized,X.colorSpace),pt=n.get(S),O=n.get(X);if(O.__renderTarget=S,!pt.__hasExternalTextures){let rt=Math.max(1,S.width>>_t),nt=Math.max(1,S.height>>_t);ot===i.TEXTURE_3D||ot===i.TEXTURE_2D_ARRAY?e.texImage3D(ot,_t,it,rt,nt,S.depth,0,yt,et,null):e.texImage2D(ot,_t,it,rt,nt,0,yt,et,null)}e.bindFramebuffer(i.FRAMEBUFFER,C),bt(S)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,ht,ot,O.__webglTexture,0,oe(S)):(ot===i.TEXTURE_2D||ot>=i.TEXTURE_CUBE_MAP_POSITIVE_X&&ot<=i.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&i.framebufferTexture2D(i.FRAMEBUFFER,ht,ot,O.__webglTexture,_t),e.bindFramebuffer(i.FRAMEBUFFER,null)}function In(C,S,X){if(i.bindRenderbuffer(i.RENDERBUFFER,C),S.depthBuffer){let ht=S.depthTexture,ot=ht&&ht.isDepthTexture?ht.type:null,_t=x(S.stencilBuffer,ot),yt=S.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;bt(S)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,oe(S),_t,S.width,S.height):X?i.renderbufferStorageMultisample(i.RENDERBUFFER,oe(S),_t,S.width,S.height):i.renderbufferStorage(i.RENDERBUFFER,_t,S.width,S.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,yt,i.RENDERBUFFER,C)}else{let ht=S.textures;for(let ot=0;ot<ht.length;ot++){let _t=ht[ot],yt=r.convert(_t.format,_t.colorSpace),et=r.convert(_t.type),it=T(_t.internalFormat,yt,et,_t.normalized,_t.colorSpace);bt(S)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,oe(S),it,S.width,S.height):X?i.renderbufferStorageMultisample(i.RENDERBUFFER,oe(S),it,S.width,S.height):i.renderbufferStorage(i.RENDERBUFFER,it,S.width,S.height)}}i.bindRenderbuffer(i.RENDERBUFFER,null)}function be(C,S,X){let ht=S.isWebGLCubeRenderTarget===!0;if(e.bindFramebuffer(i.FRAMEBUFFER,C),!(S.depthTexture&&S.depthTexture.isDepthTexture))throw new Error("THREE.WebGLTextures: renderTarget.depthTexture must be an instance of THREE.DepthTexture.");let ot=n.get(S.depthTexture);ot.__renderTarget=S;let _t=ht?S.depthTexture.image[0]:S.depthTexture.image;(!ot.__webglTexture||_t.width!==S.width||_t.height!==S.height)&&(_t.width=S.width,_t.height=S.height,S.depthTexture.needsUpdate=!0),ht?St(S.depthTexture,0):mt(S.depthTexture,0);let yt=ot.__webglTexture,et=oe(S),it=ht?i.TEXTURE_CUBE_MAP_POSITIVE_X+X:i.TEXTURE_2D,pt=S.depthTexture.format===Is?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;if(S.depthTexture.format===Ts)bt(S)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,pt,it,yt,0,et):i.framebufferTexture2D(i.FRAMEBUFFER,pt,it,yt,0);else if(S.depthTexture.format===Is)bt(S)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,pt,it,yt,0,et):i.framebufferTexture2D(i.FRAMEBUFFER,pt,it,yt,0);else throw new Error("THREE.WebGLTextures: Unknown depthTexture format.")}function wn(C){let S=n.get(C),X=C.isWebGLCubeRenderTarget===!0;if(S.__boundDepthTexture!==C.depthTexture){let ht=C.depthTexture;if(S.__depthDisposeCallback&&S.__depthDisposeCallback(),ht){let ot=()=>{delete S.__boundDepthTexture,delete S.__depthDisposeCallback,ht.removeEventListener("dispose",ot)};ht.addEventListener("dispose",ot),S.__depthDisposeCallback=ot}S.__boundDepthTexture=ht}if(C.depthTexture&&!S.__autoAllocateDepthBuffer)if(X)for(let ht=0;ht<6;ht++)be(S.__webglFramebuffer[ht],C,ht);else C.texture.mipmaps.length>0?be(S.__webglFramebuffer[0],C,0):be(S.__webglFramebuffer,C,0);else if(X){S.__webglDepthbuffer=[];for(let ht=0;ht<6;ht++)if(e.bindFramebuffer(i.FRAMEBUFFER,S.__webglFramebuffer[ht]),S.__webglDepthbuffer[ht]===void 0)S.__webglDepthbuffer[ht]=i.createRenderbuffer(),In(S.__webglDepthbuffer[ht],C,!1);else{let ot=C.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,_t=S.__webglDepthbuffer[ht];i.bindRenderbuffer(i.RENDERBUFFER,_t),i.framebufferRenderbuffer(i.FRAMEBUFFER,ot,i.RENDERBUFFER,_t)}}else if(C.texture.mipmaps.length>0?e.bindFramebuffer(i.FRAMEBUFFER,S.__webglFramebuffer[0]):e.bindFramebuffer(i.FRAMEBUFFER,S.__webglFramebuffer),S.__webglDepthbuffer===void 0)S.__webglDepthbuffer=i.createRenderbuffer(),In(S.__webglDepthbuffer,C,!1);else{let ot=C.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,_t=S.__webglDepthbuffer;i.bindRenderbuffer(i.RENDERBUFFER,_t),i.framebufferRenderbuffer(i.FRAMEBUFFER,ot,i.RENDERBUFFER,_t)}e.bindFramebuffer(i.FRAMEBUFFER,null)}function sn(C,S,X){let ht=n.get(C);S!==void 0&&Oe(ht.__webglFramebuffer,C,C.texture,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,0),X!==void 0&&wn(C)}function pn(C){let S=C.texture,X=n.get(C),ht=n.get(S);C.addEventListener("dispose",k),U(C);let ot=C.textures,_t=C.isWebGLCubeRenderTarget===!0,yt=ot.length>1;if(yt||(ht.__webglTexture===void 0&&(ht.__webglTexture=i.createTexture()),ht.__version=S.version,o.memory.textures++),_t){X.__webglFramebuffer=[];for(let et=0;et<6;et++)if(S.mipmaps.length>0){X.__webglFramebuffer[et]=[];for(let it=0;it<S.mipmaps.length;it++)X.__webglFramebuffer[et][it]=i.createFramebuffer()}else X.__webglFramebuffer[et]=i.createFramebuffer()}else{if(S.mipmaps.length>0){X.__webglFramebuffer=[];for(let et=0;et<S.mipmaps.length;et++)X.__webglFramebuffer[et]=i.createFramebuffer()}else X.__webglFramebuffer=i.createFramebuffer();if(yt)for(let et=0,it=ot.length;et<it;et++){let pt=n.get(ot[et]);pt.__webglTexture===void 0&&(pt.__webglTexture=i.createTexture(),o.memory.textures++)}if(C.samples>0&&bt(C)===!1){X.__webglMultisampledFramebuffer=i.createFramebuffer(),X.__webglColorRenderbuffer=[],e.bindFramebuffer(i.FRAMEBUFFER,X.__webglMultisampledFramebuffer);for(let et=0;et<ot.length;et++){let it=ot[et];X.__webglColorRenderbuffer[et]=i.createRenderbuffer(),i.bindRenderbuffer(i.RENDERBUFFER,X.__webglColorRenderbuffer[et]);let pt=r.convert(it.format,it.colorSpace),O=r.convert(it.type),rt=T(it.internalFormat,pt,O,it.normalized,it.colorSpace,C.isXRRenderTarget===!0),nt=oe(C);i.renderbufferStorageMultisample(i.RENDERBUFFER,nt,rt,C.width,C.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+et,i.RENDERBUFFER,X.__webglColorRenderbuffer[et])}i.bindRenderbuffer(i.RENDERBUFFER,null),C.depthBuffer&&(X.__webglDepthRenderbuffer=i.createRenderbuffer(),In(X.__webglDepthRenderbuffer,C,!0)),e.bindFramebuffer(i.FRAMEBUFFER,null)}}if(_t){e.bindTexture(i.TEXTURE_CUBE_MAP,ht.__webglTexture),de(i.TEXTURE_CUBE_MAP,S);for(let et=0;et<6;et++)if(S.mipmaps.length>0)for(let it=0;it<S.mipmaps.length;it++)Oe(X.__webglFramebuffer[et][it],C,S,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+et,it);else Oe(X.__webglFramebuffer[et],C,S,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+et,0);b(S)?M(i.TEXTURE_CUBE_MAP):S.mipmaps.length>0&&i.texParameteri(i.TEXTURE_CUBE_MAP,i.TEXTURE_MAX_LEVEL,S.mipmaps.length-1),e.unbindTexture()}else if(yt){for(let et=0,it=ot.length;et<it;et++){let pt=ot[et],O=n.get(pt),rt=i.TEXTURE_2D;(C.isWebGL3DRenderTarget||C.isWebGLArrayRenderTarget)&&(rt=C.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(rt,O.__webglTexture),de(rt,pt),Oe(X.__webglFramebuffer,C,pt,i.COLOR_ATTACHMENT0+et,rt,0),b(pt)&&M(rt)}e.unbindTexture()}else{let et=i.TEXTURE_2D;if((C.isWebGL3DRenderTarget||C.isWebGLArrayRenderTarget)&&(et=C.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(et,ht.__webglTexture),de(et,S),S.mipmaps.length>0)for(let it=0;it<S.mipmaps.length;it++)Oe(X.__webglFramebuffer[it],C,S,i.COLOR_ATTACHMENT0,et,it);else Oe(X.__webglFramebuffer,C,S,i.COLOR_ATTACHMENT0,et,0);b(S)?M(et):S.mipmaps.length>0&&i.texParameteri(et,i.TEXTURE_MAX_LEVEL,S.mipmaps.length-1),e.unbindTexture()}C.depthBuffer&&wn(C)}function B(C){let S=C.textures;for(let X=0,ht=S.length;X<ht;X++){let ot=S[X];if(b(ot)&&ot.mipmapsAutoUpdate===!0){let _t=R(C),yt=n.get(ot).__webglTexture;e.bindTexture(_t,yt),M(_t),e.unbindTexture()}}}let Ct=[];function $t(C){if(C.samples>0){if(bt(C)===!1){let S=C.textures,X=C.width,ht=C.height,ot=i.COLOR_BUFFER_BIT,_t=C.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,yt=n.get(C),et=S.length>1;if(et)for(let pt=0;pt<S.length;pt++)e.bindFramebuffer(i.FRAMEBUFFER,yt.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+pt,i.RENDERBUFFER,null),e.bindFramebuffer(i.FRAMEBUFFER,yt.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+pt,i.TEXTURE_2D,null,0);e.bindFramebuffer(i.READ_FRAMEBUFFER,yt.__webglMultisampledFramebuffer),C.texture.mipmaps.length>0?e.bindFramebuffer(i.DRAW_FRAMEBUFFER,yt.__webglFramebuffer[0]):e.bindFramebuffer(i.DRAW_FRAMEBUFFER,yt.__webglFramebuffer);for(let pt=0;pt<S.length;pt++){if(C.resolveDepthBuffer&&(C.depthBuffer&&(ot|=i.DEPTH_BUFFER_BIT),C.stencilBuffer&&C.resolveStencilBuffer&&(ot|=i.STENCIL_BUFFER_BIT)),et){i.framebufferRenderbuffer(i.READ_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.RENDERBUFFER,yt.__webglColorRenderbuffer[pt]);let O=n.get(S[pt]).__webglTexture;i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,O,0)}i.blitFramebuffer(0,0,X,ht,0,0,X,ht,ot,i.NEAREST),l===!0&&(Ct.length=0,Ct.push(i.COLOR_ATTACHMENT0+pt),C.depthBuffer&&C.storeMultisampledDepthBuffer===!1&&Ct.push(_t),i.invalidateFramebuffer(i.READ_FRAMEBUFFER,Ct))}if(e.bindFramebuffer(i.READ_FRAMEBUFFER,null),e.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),et)for(let pt=0;pt<S.length;pt++){e.bindFramebuffer(i.FRAMEBUFFER,yt.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+pt,i.RENDERBUFFER,yt.__webglColorRenderbuffer[pt]);let O=n.get(S[pt]).__webglTexture;e.bindFramebuffer(i.FRAMEBUFFER,yt.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+pt,i.TEXTURE_2D,O,0)}e.bindFramebuffer(i.DRAW_FRAMEBUFFER,yt.__webglMultisampledFramebuffer)}else if(C.depthBuffer&&C.storeMultisampledDepthBuffer===!1&&l){let S=C.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;i.invalidateFramebuffer(i.DRAW_FRAMEBUFFER,[S])}}}function oe(C){return Math.min(s.maxSamples,C.samples)}function bt(C){let S=n.get(C);return C.samples>0&&t.has("WEBGL_multisampled_render_to_texture")===!0&&S.__useRenderToTexture!==!1}function ke(C){let S=o.render.frame;h.get(C)!==S&&(h.set(C,S),C.update())}function Ht(C,S){let X=C.colorSpace,ht=C.format,ot=C.type;return C.isCompressedTexture===!0||C.isVideoTexture===!0||X!==ra&&X!==Ls&&(ve.getTransfer(X)===Le?(ht!==Wi||ot!==ri)&&Zt("WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType."):Qt("WebGLTextures: Unsupported texture color space:",X)),S}function Yt(C){return typeof HTMLImageElement<"u"&&C instanceof HTMLImageElement?(c.width=C.naturalWidth||C.width,c.height=C.naturalHeight||C.height):typeof VideoFrame<"u"&&C instanceof VideoFrame?(c.width=C.displayWidth,c.height=C.displayHeight):(c.width=C.width,c.height=C.height),c}this.allocateTextureUnit=ut,this.resetTextureUnits=j,this.getTextureUnits=st,this.setTextureUnits=ft,this.setTexture2D=mt,this.setTexture2DArray=xt,this.setTexture3D=At,this.setTextureCube=St,this.rebindTextures=sn,this.setupRenderTarget=pn,this.updateRenderTargetMipmap=B,this.updateMultisampleRenderTarget=$t,this.setupDepthRenderbuffer=wn,this.setupFrameBufferTexture=Oe,this.useMultisampledRTT=bt,this.dispose=W}function ab(i,t){function e(n,s=Ls){let r,o=ve.getTransfer(s);if(n===ri)return i.UNSIGNED_BYTE;if(n===Ac)return i.UNSIGNED_SHORT_4_4_4_4;if(n===Rc)return i.UNSIGNED_SHORT_5_5_5_1;if(n===uf)return i.UNSIGNED_INT_5_9_9_9_REV;if(n===ff)return i.UNSIGNED_INT_10F_11F_11F_REV;if(n===cf)return i.BYTE;if(n===hf)return i.SHORT;if(n===po)return i.UNSIGNED_SHORT;if(n===Tc)return i.INT;if(n===Hi)return i.UNSIGNED_INT;if(n===Gi)return i.FLOAT;if(n===Vi)return i.HALF_FLOAT;if(n===df)return i.ALPHA;if(n===pf)return i.RGB;if(n===Wi)return i.RGBA;if(n===Ts)return i.DEPTH_COMPONENT;if(n===Is)return i.DEPTH_STENCIL;if(n===mf)return i.RED;if(n===Cc)return i.RED_INTEGER;if(n===er)return i.RG;if(n===Pc)return i.RG_INTEGER;if(n===Ic)return i.RGBA_INTEGER;if(n===La||n===Da||n===Na||n===Ua)if(o===Le)if(r=t.get("WEBGL_compressed_texture_s3tc_srgb"),r!==null){if(n===La)return r.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===Da)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===Na)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===Ua)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null;else if(r=t.get("WEBGL_compressed_texture_s3tc"),r!==null){if(n===La)return r.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===Da)return r.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===Na)return r.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===Ua)return r.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null;if(n===Lc||n===Dc||n===Nc||n===Uc)if(r=t.get("WEBGL_compressed_texture_pvrtc"),r!==null){if(n===Lc)return r.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===Dc)return r.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===Nc)return r.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===Uc)return r.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null;if(n===Fc||n===Oc||n===Bc||n===kc||n===zc||n===Fa||n===Hc)if(r=t.get("WEBGL_compressed_texture_etc"),r!==null){if(n===Fc||n===Oc)return o===Le?r.COMPRESSED_SRGB8_ETC2:r.COMPRESSED_RGB8_ETC2;if(n===Bc)return o===Le?r.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:r.COMPRESSED_RGBA8_ETC2_EAC;if(n===kc)return r.COMPRESSED_R11_EAC;if(n===zc)return r.COMPRESSED_SIGNED_R11_EAC;if(n===Fa)return r.COMPRESSED_RG11_EAC;if(n===Hc)return r.COMPRESSED_SIGNED_RG11_EAC}else return null;if(n===Gc||n===Vc||n===Wc||n===Xc||n===qc||n===Yc||n===Zc||n===$c||n===Jc||n===Kc||n===jc||n===Qc||n===th||n===eh)if(r=t.get("WEBGL_compressed_texture_astc"),r!==null){if(n===Gc)return o===Le?r.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:r.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===Vc)return o===Le?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:r.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===Wc)return o===Le?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:r.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===Xc)return o===Le?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:r.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===qc)return o===Le?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:r.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===Yc)return o===Le?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:r.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===Zc)return o===Le?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:r.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===$c)return o===Le?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:r.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===Jc)return o===Le?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:r.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===Kc)return o===Le?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:r.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===jc)return o===Le?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:r.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===Qc)return o===Le?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:r.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===th)return o===Le?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:r.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===eh)return o===Le?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:r.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null;if(n===nh||n===ih||n===sh)if(r=t.get("EXT_texture_compression_bptc"),r!==null){if(n===nh)return o===Le?r.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:r.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===ih)return r.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===sh)return r.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null;if(n===rh||n===oh||n===Oa||n===ah)if(r=t.get("EXT_texture_compression_rgtc"),r!==null){if(n===rh)return r.COMPRESSED_RED_RGTC1_EXT;if(n===oh)return r.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===Oa)return r.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===ah)return r.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null;return n===xr?i.UNSIGNED_INT_24_8:i[n]!==void 0?i[n]:null}return{convert:e}}var lb=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,cb=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`,Vf=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(t,e){if(this.texture===null){let n=new pa(t.texture);(t.depthNear!==e.depthNear||t.depthFar!==e.depthFar)&&(this.depthNear=t.depthNear,this.depthFar=t.depthFar),this.texture=n}}getMesh(t){if(this.texture!==null&&this.mesh===null){let e=t.cameras[0].viewport,n=new ss({vertexShader:lb,fragmentShader:cb,uniforms:{depthColor:{value:this.texture},depthWidth:{value:e.z},depthHeight:{value:e.w}}});this.mesh=new _e(new ya(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},Wf=class extends ki{constructor(t,e){super();let n=this,s=null,r=1,o=null,a="local-floor",l=1,c=null,h=null,u=null,f=null,d=null,p=null,v=typeof XRWebGLBinding<"u",g=new Vf,m={},_=e.getContextAttributes(),b=null,M=null,R=[],T=[],x=new It,w=null,U=null,P=new Kn;P.viewport=new tn;let L=new Kn;L.viewport=new tn;let k=[P,L],H=new Mc,N=null,W=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(Q){let mt=R[Q];return mt===void 0&&(mt=new ro,R[Q]=mt),mt.getTargetRaySpace()},this.getControllerGrip=function(Q){let mt=R[Q];return mt===void 0&&(mt=new ro,R[Q]=mt),mt.getGripSpace()},this.getHand=function(Q){let mt=R[Q];return mt===void 0&&(mt=new ro,R[Q]=mt),mt.getHandSpace()};function Y(Q){let mt=T.indexOf(Q.inputSource);if(mt===-1)return;let xt=R[mt];xt!==void 0&&(xt.update(Q.inputSource,Q.frame,c||o),xt.dispatchEvent({type:Q.type,data:Q.inputSource}))}function V(){s.removeEventListener("select",Y),s.removeEventListener("selectstart",Y),s.removeEventListener("selectend",Y),s.removeEventListener("squeeze",Y),s.removeEventListener("squeezestart",Y),s.removeEventListener("squeezeend",Y),s.removeEventListener("end",V),s.removeEventListener("inputsourceschange",ct);for(let Q=0;Q<R.length;Q++){let mt=T[Q];mt!==null&&(T[Q]=null,R[Q].disconnect(mt))}N=null,W=null,g.reset();for(let Q in m)delete m[Q];if(t.setRenderTarget(b),d=null,f=null,u=null,s=null,M=null,ut.stop(),n.isPresenting=!1,t.setPixelRatio(w),t.setSize(x.width,x.height,!1),U!==null){let Q=U.camera;Q.fov=U.fov,Q.zoom=U.zoom,Q.updateProjectionMatrix(),U=null}n.dispatchEvent({type:"sessionend"})}this.setFramebufferScaleFactor=function(Q){r=Q,n.isPresenting===!0&&Zt("WebXRManager: Cannot change framebuffer scale while presenting.")},this.setReferenceSpaceType=function(Q){a=Q,n.isPresenting===!0&&Zt("WebXRManager: Cannot change reference space type while presenting.")},this.getReferenceSpace=function(){return c||o},this.setReferenceSpace=function(Q){c=Q},this.getBaseLayer=function(){return f!==null?f:d},this.getBinding=function(){return u===null&&v&&(u=new XRWebGLBinding(s,e)),u},this.getFrame=function(){return p},this.getSession=function(){return s},this.setSession=async function(Q){if(s=Q,s!==null){if(b=t.getRenderTarget(),s.addEventListener("select",Y),s.addEventListener("selectstart",Y),s.addEventListener("selectend",Y),s.addEventListener("squeeze",Y),s.addEventListener("squeezestart",Y),s.addEventListener("squeezeend",Y),s.addEventListener("end",V),s.addEventListener("inputsourceschange",ct),_.xrCompatible!==!0&&await e.makeXRCompatible(),w=t.getPixelRatio(),t.getSize(x),v&&"createProjectionLayer"in XRWebGLBinding.prototype){let xt=null,At=null,St=null;_.depth&&(St=_.stencil?e.DEPTH24_STENCIL8:e.DEPTH_COMPONENT24,xt=_.stencil?Is:Ts,At=_.stencil?xr:Hi);let Wt={colorFormat:e.RGBA8,depthFormat:St,scaleFactor:r};u=this.getBinding(),f=u.createProjectionLayer(Wt),s.updateRenderState({layers:[f]}),t.setPixelRatio(1),t.setSize(f.textureWidth,f.textureHeight,!1),M=new _i(f.textureWidth,f.textureHeight,{format:Wi,type:ri,depthTexture:new Cs(f.textureWidth,f.textureHeight,At,void 0,void 0,void 0,void 0,void 0,void 0,xt),stencilBuffer:_.stencil,colorSpace:t.outputColorSpace,samples:_.antialias?4:0,resolveDepthBuffer:f.ignoreDepthValues===!1,resolveStencilBuffer:f.ignoreDepthValues===!1,storeMultisampledDepthBuffer:f.ignoreDepthValues===!1,storeMultisampledStencilBuffer:f.ignoreDepthValues===!1})}else{let xt={antialias:_.antialias,alpha:!0,depth:_.depth,stencil:_.stencil,framebufferScaleFactor:r};d=new XRWebGLLayer(s,e,xt),s.updateRenderState({baseLayer:d}),t.setPixelRatio(1),t.setSize(d.framebufferWidth,d.framebufferHeight,!1),M=new _i(d.framebufferWidth,d.framebufferHeight,{format:Wi,type:ri,colorSpace:t.outputColorSpace,stencilBuffer:_.stencil,resolveDepthBuffer:d.ignoreDepthValues===!1,resolveStencilBuffer:d.ignoreDepthValues===!1,storeMultisampledDepthBuffer:d.ignoreDepthValues===!1,storeMultisampledStencilBuffer:d.ignoreDepthValues===!1})}M.isXRRenderTarget=!0,this.setFoveation(l),c=null,o=await s.requestReferenceSpace(a),ut.setContext(s),ut.start(),n.isPresenting=!0,n.dispatchEvent({type:"sessionstart"})}},this.getEnvironmentBlendMode=function(){if(s!==null)return s.environmentBlendMode},this.getDepthTexture=function(){return g.getDepthTexture()};function ct(Q){for(let mt=0;mt<Q.removed.length;mt++){let xt=Q.removed[mt],At=T.indexOf(xt);At>=0&&(T[At]=null,R[At].disconnect(xt))}for(let mt=0;mt<Q.added.length;mt++){let xt=Q.added[mt],At=T.indexOf(xt);if(At===-1){for(let Wt=0;Wt<R.length;Wt++)if(Wt>=T.length){T.push(xt),At=Wt;break}else if(T[Wt]===null){T[Wt]=xt,At=Wt;break}if(At===-1)break}let St=R[At];St&&St.connect(xt)}}function J(Q,mt){mt===null?Q.matrixWorld.copy(Q.matrix):Q.matrixWorld.multiplyMatrices(mt.matrixWorld,Q.matrix),Q.matrixWorldInverse.copy(Q.matrixWorld).invert()}this.updateCamera=function(Q){if(s===null)return;let mt=Q.near,xt=Q.far;g.texture!==null&&(g.depthNear>0&&(mt=g.depthNear),g.depthFar>0&&(xt=g.depthFar)),H.near=L.near=P.near=mt,H.far=L.far=P.far=xt,(N!==H.near||W!==H.far)&&(s.updateRenderState({depthNear:H.near,depthFar:H.far}),N=H.near,W=H.far),H.layers.mask=Q.layers.mask|6,P.layers.mask=H.layers.mask&-5,L.layers.mask=H.layers.mask&-3;let At=Q.parent,St=H.cameras;J(H,At);for(let Wt=0;Wt<St.length;Wt++)J(St[Wt],At);H.projectionMatrix.copy(P.projectionMatrix),H.projectionMatrixInverse.copy(P.projectionMatrixInverse),U===null&&Q.isPerspectiveCamera&&(U={camera:Q,fov:Q.fov,zoom:Q.zoom}),j(Q,H,At)};function j(Q,mt,xt){xt===null?Q.matrix.copy(mt.matrixWorld):(Q.matrix.copy(xt.matrixWorld),Q.matrix.invert(),Q.matrix.multiply(mt.matrixWorld)),Q.matrix.decompose(Q.position,Q.quaternion,Q.scale),Q.updateMatrixWorld(!0),Q.projectionMatrix.copy(mt.projectionMatrix),Q.projectionMatrixInverse.copy(mt.projectionMatrixInverse),Q.isPerspectiveCamera&&(Q.fov=no*2*Math.atan(1/Q.projectionMatrix.elements[5]),Q.zoom=1)}this.getCamera=function(){return H},this.getFoveation=function(){if(!(f===null&&d===null))return l},this.setFoveation=function(Q){l=Q,f!==null&&(f.fixedFoveation=Q),d!==null&&d.fixedFoveation!==void 0&&(d.fixedFoveation=Q)},this.hasDepthSensing=function(){return g.texture!==null},this.getDepthSensingMesh=function(){return g.getMesh(H)},this.getCameraTexture=function(Q){return m[Q]};let st=null;function ft(Q,mt){if(h=mt.getViewerPose(c||o),p=mt,h!==null){let xt=h.views;d!==null&&(t.setRenderTargetFramebuffer(M,d.framebuffer),t.setRenderTarget(M));let At=!1;xt.length!==H.cameras.length&&(H.cameras.length=0,At=!0);for(let Gt=0;Gt<xt.length;Gt++){let de=xt[Gt],he=null;if(d!==null)he=d.getViewport(de);else{let je=u.getViewSubImage(f,de);he=je.viewport,Gt===0&&(t.setRenderTargetTextures(M,je.colorTexture,je.depthStencilTexture),t.setRenderTarget(M))}let ie=k[Gt];ie===void 0&&(ie=new Kn,ie.layers.enable(Gt),ie.viewport=new tn,k[Gt]=ie),ie.matrix.fromArray(de.transform.matrix),ie.matrix.decompose(ie.position,ie.quaternion,ie.scale),ie.projectionMatrix.fromArray(de.projectionMatrix),ie.projectionMatrixInverse.copy(ie.projectionMatrix).invert(),ie.viewport.set(he.x,he.y,he.width,he.height),Gt===0&&(H.matrix.copy(ie.matrix),H.matrix.decompose(H.position,H.quaternion,H.scale)),At===!0&&H.cameras.push(ie)}let St=s.enabledFeatures;if(St&&St.includes("depth-sensing")&&s.depthUsage=="gpu-optimized"&&v){u=n.getBinding();let Gt=u.getDepthInformation(xt[0]);Gt&&Gt.isValid&&Gt.texture&&g.init(Gt,s.renderState)}if(St&&St.includes("camera-access")&&v){t.state.unbindTexture(),u=n.getBinding();for(let Gt=0;Gt<xt.length;Gt++){let de=xt[Gt].camera;if(de){let he=m[de];he||(he=new pa,m[de]=he);let ie=u.getCameraImage(de);he.sourceTexture=ie}}}}for(let xt=0;xt<R.length;xt++){let At=T[xt],St=R[xt];At!==null&&St!==void 0&&St.update(At,mt,c||o)}st&&st(Q,mt),mt.detectedPlanes&&n.dispatchEvent({type:"planesdetected",data:mt}),p=null}let ut=new $m;ut.setAnimationLoop(ft),this.setAnimationLoop=function(Q){st=Q},this.dispose=function(){}}},hb=new ze,rg=new ee;rg.set(-1,0,0,0,1,0,0,0,1);function ub(i,t){function e(g,m){g.matrixAutoUpdate===!0&&g.updateMatrix(),m.value.copy(g.matrix)}function n(g,m){m.color.getRGB(g.fogColor.value,Tf(i)),m.isFog?(g.fogNear.value=m.near,g.fogFar.value=m.far):m.isFogExp2&&(g.fogDensity.value=m.density)}function s(g,m,_,b,M){m.isNodeMaterial?m.uniformsNeedUpdate=!1:m.isMeshBasicMaterial?r(g,m):m.isMeshLambertMaterial?(r(g,m),m.envMap&&(g.envMapIntensity.value=m.envMapIntensity)):m.isMeshToonMaterial?(r(g,m),u(g,m)):m.isMeshPhongMaterial?(r(g,m),h(g,m),m.envMap&&(g.envMapIntensity.value=m.envMapIntensity)):m.isMeshStandardMaterial?(r(g,m),f(g,m),m.isMeshPhysicalMaterial&&d(g,m,M)):m.isMeshMatcapMaterial?(r(g,m),p(g,m)):m.isMeshDepthMaterial?r(g,m):m.isMeshDistanceMaterial?(r(g,m),v(g,m)):m.isMeshNormalMaterial?r(g,m):m.isLineBasicMaterial?(o(g,m),m.isLineDashedMaterial&&a(g,m)):m.isPointsMaterial?l(g,m,_,b):m.isSpriteMaterial?c(g,m):m.isShadowMaterial?(g.color.value.copy(m.color),g.opacity.value=m.opacity):m.isShaderMaterial&&(m.uniformsNeedUpdate=!1)}function r(g,m){g.opacity.value=m.opacity,m.color&&g.diffuse.value.copy(m.color),m.emissive&&g.emissive.value.copy(m.emissive).multiplyScalar(m.emissiveIntensity),m.map&&(g.map.value=m.map,e(m.map,g.mapTransform)),m.alphaMap&&(g.alphaMap.value=m.alphaMap,e(m.alphaMap,g.alphaMapTransform)),m.bumpMap&&(g.bumpMap.value=m.bumpMap,e(m.bumpMap,g.bumpMapTransform),g.bumpScale.value=m.bumpScale,m.side===ti&&(g.bumpScale.value*=-1)),m.normalMap&&(g.normalMap.value=m.normalMap,e(m.normalMap,g.normalMapTransform),g.normalScale.value.copy(m.normalScale),m.side===ti&&g.normalScale.value.negate()),m.displacementMap&&(g.displacementMap.value=m.displacementMap,e(m.displacementMap,g.displacementMapTransform),g.displacementScale.value=m.displacementScale,g.displacementBias.value=m.displacementBias),m.emissiveMap&&(g.emissiveMap.value=m.emissiveMap,e(m.emissiveMap,g.emissiveMapTransform)),m.specularMap&&(g.specularMap.value=m.specularMap,e(m.specularMap,g.specularMapTransform)),m.alphaTest>0&&(g.alphaTest.value=m.alphaTest);let _=t.get(m),b=_.envMap,M=_.envMapRotation;b&&(g.envMap.value=b,g.envMapRotation.value.setFromMatrix4(hb.makeRotationFromEuler(M)).transpose(),b.isCubeTexture&&b.isRenderTargetTexture===!1&&g.envMapRotation.value.premultiply(rg),g.reflectivity.value=m.reflectivity,g.ior.value=m.ior,g.refractionRatio.value=m.refractionRatio),m.lightMap&&(g.lightMap.value=m.lightMap,g.lightMapIntensity.value=m.lightMapIntensity,e(m.lightMap,g.lightMapTransform)),m.aoMap&&(g.aoMap.value=m.aoMap,g.aoMapIntensity.value=m.aoMapIntensity,e(m.aoMap,g.aoMapTransform))}function o(g,m){g.diffuse.value.copy(m.color),g.opacity.value=m.opacity,m.map&&(g.map.value=m.map,e(m.map,g.mapTransform))}function a(g,m){g.dashSize.value=m.dashSize,g.totalSize.value=m.dashSize+m.gapSize,g.scale.value=m.scale}function l(g,m,_,b){g.diffuse.value.copy(m.color),g.opacity.value=m.opacity,g.size.value=m.size*_,g.scale.value=b*.5,m.map&&(g.map.value=m.map,e(m.map,g.uvTransform)),m.alphaMap&&(g.alphaMap.value=m.alphaMap,e(m.alphaMap,g.alphaMapTransform)),m.alphaTest>0&&(g.alphaTest.value=m.alphaTest)}function c(g,m){g.diffuse.value.copy(m.color),g.opacity.value=m.opacity,g.rotation.value=m.rotation,m.map&&(g.map.value=m.map,e(m.map,g.mapTransform)),m.alphaMap&&(g.alphaMap.value=m.alphaMap,e(m.alphaMap,g.alphaMapTransform)),m.alphaTest>0&&(g.alphaTest.value=m.alphaTest)}function h(g,m){g.specular.value.copy(m.specular),g.shininess.value=Math.max(m.shininess,1e-4)}function u(g,m){m.gradientMap&&(g.gradientMap.value=m.gradientMap)}function f(g,m){g.metalness.value=m.metalness,m.metalnessMap&&(g.metalnessMap.value=m.metalnessMap,e(m.metalnessMap,g.metalnessMapTransform)),g.roughness.value=m.roughness,m.roughnessMap&&(g.roughnessMap.value=m.roughnessMap,e(m.roughnessMap,g.roughnessMapTransform)),m.envMap&&(g.envMapIntensity.value=m.envMapIntensity)}function d(g,m,_){g.ior.value=m.ior,m.diffuseRoughness>0&&(g.diffuseRoughness.value=m.diffuseRoughness,m.diffuseRoughnessMap&&(g.diffuseRoughnessMap.value=m.diffuseRoughnessMap,e(m.diffuseRoughnessMap,g.diffuseRoughnessMapTransform))),m.sheen>0&&(g.sheenColor.value.copy(m.sheenColor).multiplyScalar(m.sheen),g.sheenRoughness.value=m.sheenRoughness,m.sheenColorMap&&(g.sheenColorMap.value=m.sheenColorMap,e(m.sheenColorMap,g.sheenColorMapTransform)),m.sheenRoughnessMap&&(g.sheenRoughnessMap.value=m.sheenRoughnessMap,e(m.sheenRoughnessMap,g.sheenRoughnessMapTransform))),m.clearcoat>0&&(g.clearcoat.value=m.clearcoat,g.clearcoatRoughness.value=m.clearcoatRoughness,m.clearcoatMap&&(g.clearcoatMap.value=m.clearcoatMap,e(m.clearcoatMap,g.clearcoatMapTransform)),m.clearcoatRoughnessMap&&(g.clearcoatRoughnessMap.value=m.clearcoatRoughnessMap,e(m.clearcoatRoughnessMap,g.clearcoatRoughnessMapTransform)),m.clearcoatNormalMap&&(g.clearcoatNormalMap.value=m.clearcoatNormalMap,e(m.clearcoatNormalMap,g.clearcoatNormalMapTransform),g.clearcoatNormalScale.value.copy(m.clearcoatNormalScale),m.side===ti&&g.clearcoatNormalScale.value.negate())),m.dispersion>0&&(g.dispersion.value=m.dispersion),m.retroreflectivity>0&&(g.retroreflectivity.value=m.retroreflectivity),m.iridescence>0&&(g.iridescence.value=m.iridescence,g.iridescenceIOR.value=m.iridescenceIOR,g.iridescenceThicknessMinimum.value=m.iridescenceThicknessMinimum,g.iridescenceThicknessMaximum.value=m.iridescenceThicknessMaximum,m.iridescenceMap&&(g.iridescenceMap.value=m.iridescenceMap,e(m.iridescenceMap,g.iridescenceMapTransform)),m.iridescenceThicknessMap&&(g.iridescenceThicknessMap.value=m.iridescenceThicknessMap,e(m.iridescenceThicknessMap,g.iridescenceThicknessMapTransform))),m.transmission>0&&(g.transmission.value=m.transmission,g.transmissionSamplerMap.value=_.texture,g.transmissionSamplerSize.value.set(_.width,_.height),m.transmissionMap&&(g.transmissionMap.value=m.transmissionMap,e(m.transmissionMap,g.transmissionMapTransform)),g.thickness.value=m.thickness,m.thicknessMap&&(g.thicknessMap.value=m.thicknessMap,e(m.thicknessMap,g.thicknessMapTransform)),g.attenuationDistance.value=m.attenuationDistance,g.attenuationColor.value.copy(m.attenuationColor)),m.anisotropy>0&&(g.anisotropyVector.value.set(m.anisotropy*Math.cos(m.anisotropyRotation),m.anisotropy*Math.sin(m.anisotropyRotation)),m.anisotropyMap&&(g.anisotropyMap.value=m.anisotropyMap,e(m.anisotropyMap,g.anisotropyMapTransform))),g.specularIntensity.value=m.specularIntensity,g.specularColor.value.copy(m.specularColor),m.specularColorMap&&(g.specularColorMap.value=m.specularColorMap,e(m.specularColorMap,g.specularColorMapTransform)),m.specularIntensityMap&&(g.specularIntensityMap.value=m.specularIntensityMap,e(m.specularIntensityMap,g.specularIntensityMapTransform))}function p(g,m){m.matcap&&(g.matcap.value=m.matcap)}function v(g,m){let _=t.get(m).light;g.referencePosition.value.setFromMatrixPosition(_.matrixWorld),g.nearDistance.value=_.shadow.camera.near,g.farDistance.value=_.shadow.camera.far}return{refreshFogUniforms:n,refreshMaterialUniforms:s}}function fb(i,t,e,n){let s={},r={};function o(_,b){let M=b.program;n.uniformBlockBinding(_,M,s[_.id])}function a(_,b){let M=s[_.id];M===void 0&&(p(_),M=l(_),s[_.id]=M,_.addEventListener("dispose",g));let R=b.program;n.updateUBOMapping(_,R);let T=t.render.frame;r[_.id]!==T&&(c(_),r[_.id]=T)}function l(_){let b=i.createBuffer(),M=_.__size,R=_.usage;return i.bindBuffer(i.UNIFORM_BUFFER,b),i.bufferData(i.UNIFORM_BUFFER,M,R),i.bindBuffer(i.UNIFORM_BUFFER,null),b}function c(_){let b=s[_.id],M=_.uniforms,R=_.__cache;i.bindBuffer(i.UNIFORM_BUFFER,b);for(let T=0,x=M.length;T<x;T++){let w=M[T];if(Array.isArray(w))for(let U=0,P=w.length;U<P;U++)h(w[U],T,U,R);else h(w,T,0,R)}i.bindBuffer(i.UNIFORM_BUFFER,null)}function h(_,b,M,R){if(f(_,b,M,R)===!0){let T=_.__offset,x=_.value;if(Array.isArray(x)){let w=0;for(let U=0;U<x.length;U++){let P=x[U],L=v(P,!0);u(P,_.__data,w),w+=L.storage/Float32Array.BYTES_PER_ELEMENT}}else u(x,_.__data,0);i.bufferSubData(i.UNIFORM_BUFFER,T,_.__data)}}function u(_,b,M){typeof _=="number"||typeof _=="boolean"?b[M]=_:_.isMatrix3?(b[M]=_.elements[0],b[M+1]=_.elements[1],b[M+2]=_.elements[2],b[M+3]=0,b[M+4]=_.elements[3],b[M+5]=_.elements[4],b[M+6]=_.elements[5],b[M+7]=0,b[M+8]=_.elements[6],b[M+9]=_.elements[7],b[M+10]=_.elements[8],b[M+11]=0):ArrayBuffer.isView(_)?b.set(_.subarray(0,b.length-M),M):_.toArray(b,M)}function f(_,b,M,R){let T=_.value,x=b+"_"+M;if(Array.isArray(T)){R[x]===void 0&&(R[x]=[]);let w=R[x],U=!1;for(let P=0;P<T.length;P++)d(T[P],w,P)===!0&&(U=!0);return U}return d(T,R,x)}function d(_,b,M){if(b[M]===void 0)return typeof _=="number"||typeof _=="boolean"?b[M]=_:ArrayBuffer.isView(_)?b[M]=_.slice():b[M]=_.clone(),!0;{let R=b[M];if(typeof _=="number"||typeof _=="boolean"){if(R!==_)return b[M]=_,!0}else{if(ArrayBuffer.isView(_))return!0;if(R.equals(_)===!1)return R.copy(_),!0}}return!1}function p(_){let b=_.uniforms,M=0,R=16;for(let x=0,w=b.length;x<w;x++){let U=Array.isArray(b[x])?b[x]:[b[x]];for(let P=0,L=U.length;P<L;P++){let k=U[P],H=Array.isArray(k.value)?k.value:[k.value],N=Array.isArray(b[x])||Array.isArray(k.value),W=M;for(let V=0,ct=H.length;V<ct;V++){let J=H[V],j=v(J,N),st=M%R,ft=st%j.boundary,ut=st+ft;M+=ft,ut!==0&&R-ut<j.storage&&(M+=R-ut),V===0&&(W=M),M+=j.storage}let Y=k.type==="int"?Int32Array:k.type==="uint"?Uint32Array:Float32Array;k.__data=new Y((M-W)/Float32Array.BYTES_PER_ELEMENT),k.__offset=W}}let T=M%R;return T>0&&(M+=R-T),_.__size=M,_.__cache={},this}function v(_,b){let M={boundary:0,storage:0};return typeof _=="number"||typeof _=="boolean"?(M.boundary=4,M.storage=4):_.isVector2?(M.boundary=8,M.storage=8):_.isVector3||_.isColor?(M.boundary=16,M.storage=12):_.isVector4?(M.boundary=16,M.storage=16):_.isMatrix3?(M.boundary=16,M.storage=48):_.isMatrix4?(M.boundary=16,M.storage=64):_.isTexture?Zt("WebGLRenderer: Texture samplers can not be part of an uniforms group."):ArrayBuffer.isView(_)?(M.boundary=16,M.storage=_.byteLength):Zt("WebGLRenderer: Unsupported uniform value type.",_),b===!0&&(M.boundary=16,M.storage=Math.ceil(M.storage/16)*16),M}function g(_){let b=_.target;b.removeEventListener("dispose",g),i.deleteBuffer(s[b.id]),delete s[b.id],delete r[b.id]}function m(){for(let _ in s)i.deleteBuffer(s[_]);s={},r={}}return{bind:o,update:a,dispose:m}}var db=new Uint16Array([12469,15057,12620,14925,13266,14620,13807,14376,14323,13990,14545,13625,14713,13328,14840,12882,14931,12528,14996,12233,15039,11829,15066,11525,15080,11295,15085,10976,15082,10705,15073,10495,13880,14564,13898,14542,13977,14430,14158,14124,14393,13732,14556,13410,14702,12996,14814,12596,14891,12291,14937,11834,14957,11489,14958,11194,14943,10803,14921,10506,14893,10278,14858,9960,14484,14039,14487,14025,14499,13941,14524,13740,14574,13468,14654,13106,14743,12678,14818,12344,14867,11893,14889,11509,14893,11180,14881,10751,14852,10428,14812,10128,14765,9754,14712,9466,14764,13480,14764,13475,14766,13440,14766,13347,14769,13070,14786,12713,14816,12387,14844,11957,14860,11549,14868,11215,14855,10751,14825,10403,14782,10044,14729,9651,14666,9352,14599,9029,14967,12835,14966,12831,14963,12804,14954,12723,14936,12564,14917,12347,14900,11958,14886,11569,14878,11247,14859,10765,14828,10401,14784,10011,14727,9600,14660,9289,14586,8893,14508,8533,15111,12234,15110,12234,15104,12216,15092,12156,15067,12010,15028,11776,14981,11500,14942,11205,14902,10752,14861,10393,14812,9991,14752,9570,14682,9252,14603,8808,14519,8445,14431,8145,15209,11449,15208,11451,15202,11451,15190,11438,15163,11384,15117,11274,15055,10979,14994,10648,14932,10343,14871,9936,14803,9532,14729,9218,14645,8742,14556,8381,14461,8020,14365,7603,15273,10603,15272,10607,15267,10619,15256,10631,15231,10614,15182,10535,15118,10389,15042,10167,14963,9787,14883,9447,14800,9115,14710,8665,14615,8318,14514,7911,14411,7507,14279,7198,15314,9675,15313,9683,15309,9712,15298,9759,15277,9797,15229,9773,15166,9668,15084,9487,14995,9274,14898,8910,14800,8539,14697,8234,14590,7790,14479,7409,14367,7067,14178,6621,15337,8619,15337,8631,15333,8677,15325,8769,15305,8871,15264,8940,15202,8909,15119,8775,15022,8565,14916,8328,14804,8009,14688,7614,14569,7287,14448,6888,14321,6483,14088,6171,15350,7402,15350,7419,15347,7480,15340,7613,15322,7804,15287,7973,15229,8057,15148,8012,15046,7846,14933,7611,14810,7357,14682,7069,14552,6656,14421,6316,14251,5948,14007,5528,15356,5942,15356,5977,15353,6119,15348,6294,15332,6551,15302,6824,15249,7044,15171,7122,15070,7050,14949,6861,14818,6611,14679,6349,14538,6067,14398,5651,14189,5311,13935,4958,15359,4123,15359,4153,15356,4296,15353,4646,15338,5160,15311,5508,15263,5829,15188,6042,15088,6094,14966,6001,14826,5796,14678,5543,14527,5287,14377,4985,14133,4586,13869,4257,15360,1563,15360,1642,15358,2076,15354,2636,15341,3350,15317,4019,15273,4429,15203,4732,15105,4911,14981,4932,14836,4818,14679,4621,14517,4386,14359,4156,14083,3795,13808,3437,15360,122,15360,137,15358,285,15355,636,15344,1274,15322,2177,15281,2765,15215,3223,15120,3451,14995,3569,14846,3567,14681,3466,14511,3305,14344,3121,14037,2800,13753,2467,15360,0,15360,1,15359,21,15355,89,15346,253,15325,479,15287,796,15225,1148,15133,1492,15008,1749,14856,1882,14685,1886,14506,1783,14324,1608,13996,1398,13702,1183]),as=null;function pb(){return as===null&&(as=new Zl(db,16,16,er,Vi),as.name="DFG_LUT",as.minFilter=jn,as.magFilter=jn,as.wrapS=ns,as.wrapT=ns,as.generateMipmaps=!1,as.needsUpdate=!0),as}var fh=class{constructor(t={}){let{canvas:e=xm(),context:n=null,depth:s=!0,stencil:r=!1,alpha:o=!1,antialias:a=!1,premultipliedAlpha:l=!0,preserveDrawingBuffer:c=!1,powerPreference:h="default",failIfMajorPerformanceCaveat:u=!1,reversedDepthBuffer:f=!1,outputBufferType:d=ri}=t;this.isWebGLRenderer=!0;let p;if(n!==null){if(typeof WebGLRenderingContext<"u"&&n instanceof WebGLRenderingContext)throw new Error("THREE.WebGLRenderer: WebGL 1 is not supported since r163.");p=n.getContextAttributes().alpha}else p=o;let v=d,g=new Set([Ic,Pc,Cc]),m=new Set([ri,Hi,po,xr,Ac,Rc]),_=new Uint32Array(4),b=new Int32Array(4),M={textures:[],min:[],max:[],resolution:[]},R=null,T=null,x=[],w=[],U=null;this.domElement=e,this.debug={checkShaderErrors:!0,diagnostics:{keywords:!1},onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=os,this.toneMappingExposure=1,this.transmissionResolutionScale=1;let P=this,L=!1,k=null,H=null,N=null,W=null;this._outputColorSpace=pi;let Y=0,V=0,ct=null,J=-1,j=null,st=new tn,ft=new tn,ut=null,Q=new ae(0),mt=0,xt=e.width,At=e.height,St=1,Wt=null,re=null,Gt=new tn(0,0,xt,At),de=new tn(0,0,xt,At),he=!1,ie=new Zs,je=new $l,Ve=!1,dn=!1,Oe=new ze,In=new F,be=new tn,wn={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},sn=!1;function pn(){return ct===null?St:1}let B=n;function Ct(A,z){return e.getContext(A,z)}let $t,oe,bt,ke,Ht,Yt,C,S,X,ht,ot,_t,yt,et,it,pt,O,rt,nt,wt,gt,Mt,Vt;try{let A={alpha:!0,depth:s,stencil:r,antialias:a,premultipliedAlpha:l,preserveDrawingBuffer:c,powerPreference:h,failIfMajorPerformanceCaveat:u};if("setAttribute"in e&&e.setAttribute("data-engine",`three.js r${"187"}`),e.addEventListener("webglcontextlost",Bt,!1),e.addEventListener("webglcontextrestored",jt,!1),e.addEventListener("webglcontextcreationerror",Rt,!1),B===null){let z="webgl2";if(B=Ct(z,A),B===null)throw Ct(z)?new Error("THREE.WebGLRenderer: Error creating WebGL context with your selected attributes."):new Error("THREE.WebGLRenderer: Error creating WebGL context.")}Kt()}catch(A){throw e.removeEventListener("webglcontextlost",Bt,!1),e.removeEventListener("webglcontextrestored",jt,!1),e.removeEventListener("webglcontextcreationerror",Rt,!1),Qt("WebGLRenderer: "+A.message),A}function Kt(){$t=new EM(B),$t.init(),gt=new ab(B,$t),oe=new pM(B,$t,t,gt),bt=new rb(B,$t),oe.reversedDepthBuffer&&f&&bt.buffers.depth.setReversed(!0),H=B.createFramebuffer(),N=B.createFramebuffer(),W=B.createFramebuffer(),ke=new RM(B),Ht=new XS,Yt=new ob(B,$t,bt,Ht,oe,gt,ke),C=new wM(P),S=new Px(B),Mt=new fM(B,S),X=new TM(B,S,ke,Mt),ht=new PM(B,X,S,Mt,ke),rt=new CM(B,oe,Yt),it=new mM(Ht),ot=new WS(P,C,$t,oe,Mt,it),_t=new ub(P,Ht),yt=new YS,et=new QS($t),O=new uM(P,C,bt,ht,p,l),pt=new sb(P,ht,oe),Vt=new fb(B,ke,oe,bt),nt=new dM(B,$t,ke),wt=new AM(B,$t,ke),ke.programs=ot.programs,P.capabilities=oe,P.extensions=$t,P.properties=Ht,P.renderLists=yt,P.shadowMap=pt,P.state=bt,P.info=ke}v!==ri&&(U=new LM(v,e.width,e.height,a,s,r));let lt=new Wf(P,B);this.xr=lt,this.getContext=function(){return B},this.getContextAttributes=function(){return B.getContextAttributes()},this.forceContextLoss=function(){let A=$t.get("WEBGL_lose_context");A&&A.loseContext()},this.forceContextRestore=function(){let A=$t.get("WEBGL_lose_context");A&&A.restoreContext()},this.getPixelRatio=function(){return St},this.setPixelRatio=function(A){A!==void 0&&(St=A,this.setSize(xt,At,!1))},this.getSize=function(A){return A.set(xt,At)},this.setSize=function(A,z,K=!0){if(lt.isPresenting){Zt("WebGLRenderer: Can't change size while VR device is presenting.");return}xt=A,At=z,e.width=Math.floor(A*St),e.height=Math.floor(z*St),K===!0&&(e.style.width=A+"px",e.style.height=z+"px"),U!==null&&U.setSize(e.width,e.height),this.setViewport(0,0,A,z)},this.getDrawingBufferSize=function(A){return A.set(xt*St,At*St).floor()},this.setDrawingBufferSize=function(A,z,K){xt=A,At=z,St=K,e.width=Math.floor(A*K),e.height=Math.floor(z*K),this.setViewport(0,0,A,z)},this.setEffects=function(A){if(v===ri){Qt("WebGLRenderer: setEffects() requires outputBufferType set to HalfFloatType or FloatType.");return}if(A){for(let z=0;z<A.length;z++)if(A[z].isOutputPass===!0){Zt("WebGLRenderer: OutputPass is not needed in setEffects(). Tone mapping and color space conversion are applied automatically.");break}}U.setEffects(A||[])},this.getCurrentViewport=function(A){return A.copy(st)},this.getViewport=function(A){return A.copy(Gt)},this.setViewport=function(A,z,K,q){A.isVector4?Gt.set(A.x,A.y,A.z,A.w):Gt.set(A,z,K,q),bt.viewport(st.copy(Gt).multiplyScalar(pn()).round())},this.getScissor=function(A){return A.copy(de)},this.setScissor=function(A,z,K,q){A.isVector4?de.set(A.x,A.y,A.z,A.w):de.set(A,z,K,q),bt.scissor(ft.copy(de).multiplyScalar(pn()).round())},this.getScissorTest=function(){return he},this.setScissorTest=function(A){bt.setScissorTest(he=A)},this.setOpaqueSort=function(A){Wt=A},this.setTransparentSort=function(A){re=A},this.getClearColor=function(A){return A.copy(O.getClearColor())},this.setClearColor=function(){O.setClearColor(...arguments)},this.getClearAlpha=function(){return O.getClearAlpha()},this.setClearAlpha=function(){O.setClearAlpha(...arguments)},this.clear=function(A=!0,z=!0,K=!0){let q=0;if(A){let Z=!1;if(ct!==null){let Et=ct.texture.format;Z=g.has(Et)}if(Z){let Et=ct.texture.type,Pt=m.has(Et),Tt=O.getClearColor(),Lt=O.getClearAlpha(),zt=Tt.r,ne=Tt.g,pe=Tt.b;Pt?(_[0]=zt,_[1]=ne,_[2]=pe,_[3]=Lt,B.clearBufferuiv(B.COLOR,0,_)):(b[0]=zt,b[1]=ne,b[2]=pe,b[3]=Lt,B.clearBufferiv(B.COLOR,0,b))}else q|=B.COLOR_BUFFER_BIT}z&&(q|=B.DEPTH_BUFFER_BIT,this.state.buffers.depth.setMask(!0)),K&&(q|=B.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),q!==0&&B.clear(q)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.setNodesHandler=function(A){A.setRenderer(this),k=A},this.dispose=function(){e.removeEventListener("webglcontextlost",Bt,!1),e.removeEventListener("webglcontextrestored",jt,!1),e.removeEventListener("webglcontextcreationerror",Rt,!1),O.dispose(),yt.dispose(),et.dispose(),Yt.dispose(),Ht.dispose(),C.dispose(),ht.dispose(),X.dispose(),Mt.dispose(),Vt.dispose(),ot.dispose(),lt.dispose(),lt.removeEventListener("sessionstart",el),lt.removeEventListener("sessionend",Zi),ds.stop()};function Bt(A){A.preventDefault(),vf("WebGLRenderer: Context Lost."),L=!0}function jt(){vf("WebGLRenderer: Context Restored."),L=!1;let A=ke.autoReset,z=pt.enabled,K=pt.autoUpdate,q=pt.needsUpdate,Z=pt.type;Kt(),ke.autoReset=A,pt.enabled=z,pt.autoUpdate=K,pt.needsUpdate=q,pt.type=Z}function Rt(A){Qt("WebGLRenderer: A WebGL context could not be created. Reason: ",A.statusMessage)}function le(A){let z=A.target;z.removeEventListener("dispose",le),qe(z)}function qe(A){qn(A),Ht.remove(A)}function qn(A){let z=Ht.get(A).programs;z!==void 0&&(z.forEach(function(K){ot.releaseProgram(K)}),A.isShaderMaterial&&ot.releaseShaderCache(A))}this.renderBufferDirect=function(A,z,K,q,Z,Et){z===null&&(z=wn);let Pt=Z.isMesh&&Z.matrixWorld.determinantAffine()<0,Tt=Wo(A,z,K,q,Z);bt.setMaterial(q,Pt);let Lt=K.index,zt=1;if(q.wireframe===!0){if(Lt=X.getWireframeAttribute(K),Lt===void 0)return;zt=2}let ne=K.drawRange,pe=K.attributes.position,kt=ne.start*zt,me=(ne.start+ne.count)*zt;Et!==null&&(kt=Math.max(kt,Et.start*zt),me=Math.min(me,(Et.start+Et.count)*zt)),Lt!==null?(kt=Math.max(kt,0),me=Math.min(me,Lt.count)):pe!=null&&(kt=Math.max(kt,0),me=Math.min(me,pe.count));let nn=me-kt;if(nn<0||nn===1/0)return;Mt.setup(Z,q,Tt,K,Lt);let Ne,Ue=nt;if(Lt!==null&&(Ne=S.get(Lt),Ue=wt,Ue.setIndex(Ne)),Z.isMesh)q.wireframe===!0?(bt.setLineWidth(q.wireframeLinewidth*pn()),Ue.setMode(B.LINES)):Ue.setMode(B.TRIANGLES);else if(Z.isLine){let En=q.linewidth;En===void 0&&(En=1),bt.setLineWidth(En*pn()),Z.isLineSegments?Ue.setMode(B.LINES):Z.isLineLoop?Ue.setMode(B.LINE_LOOP):Ue.setMode(B.LINE_STRIP)}else Z.isPoints?Ue.setMode(B.POINTS):Z.isSprite&&Ue.setMode(B.TRIANGLES);if(Z.isBatchedMesh)if($t.get("WEBGL_multi_draw"))Ue.renderMultiDraw(Z._multiDrawStarts,Z._multiDrawCounts,Z._multiDrawCount);else{let En=Z._multiDrawStarts,Ft=Z._multiDrawCounts,mn=Z._multiDrawCount,ye=Lt?S.get(Lt).bytesPerElement:1,ms=Ht.get(q).currentProgram.getUniforms();for(let gn=0;gn<mn;gn++)ms.setValue(B,"_gl_DrawID",gn),Ue.render(En[gn]/ye,Ft[gn])}else if(Z.isInstancedMesh)Ue.renderInstances(kt,nn,Z.count);else if(K.isInstancedBufferGeometry){let En=K._maxInstanceCount!==void 0?K._maxInstanceCount:1/0,Ft=Math.min(K.instanceCount,En);Ue.renderInstances(kt,nn,Ft)}else Ue.render(kt,nn)};function Ho(A,z,K,q){k!==null&&A.isNodeMaterial&&k.setObject(q,A),Ve===!0&&it.setState(A,K,!1),A.transparent===!0&&A.side===vn&&A.forceSinglePass===!1?(A.side=ti,A.needsUpdate=!0,$i(A,z,q),A.side=tr,A.needsUpdate=!0,$i(A,z,q),A.side=vn):$i(A,z,q)}this.compile=function(A,z,K=null){K===null&&(K=A),k!==null&&k.renderStart(A,z,K),T=et.get(K),T.init(z),w.push(T),K.traverseVisible(function(Z){Z.isLight&&Z.layers.test(z.layers)&&(T.pushLight(Z),Z.castShadow&&T.pushShadow(Z))}),A!==K&&A.traverseVisible(function(Z){Z.isLight&&Z.layers.test(z.layers)&&(T.pushLight(Z),Z.castShadow&&T.pushShadow(Z))}),T.setupLights(),k!==null&&k.updateLights(T.state.lightsArray),dn=this.localClippingEnabled,Ve=it.init(this.clippingPlanes,dn),Ve===!0&&it.setGlobalState(this.clippingPlanes,z),k!==null&&pt.render(T.state.shadowsArray,K,z);let q=new Set;return A.traverse(function(Z){if(!(Z.isMesh||Z.isPoints||Z.isLine||Z.isSprite))return;let Et=Z.material;if(Et)if(Array.isArray(Et))for(let Pt=0;Pt<Et.length;Pt++){let Tt=Et[Pt];Ho(Tt,K,z,Z),q.add(Tt)}else Ho(Et,K,z,Z),q.add(Et)}),T=w.pop(),k!==null&&k.renderEnd(),q},this.compileAsync=function(A,z,K=null){let q=this.compile(A,z,K);return new Promise(Z=>{function Et(){if(q.forEach(function(Pt){let Lt=Ht.get(Pt).currentProgram;(Lt===void 0||Lt.isReady())&&q.delete(Pt)}),q.size===0){Z(A);return}setTimeout(Et,10)}$t.get("KHR_parallel_shader_compile")!==null?Et():setTimeout(Et,10)})};let Ar=null;function eu(A){Ar&&Ar(A)}function el(){ds.stop()}function Zi(){ds.start()}let ds=new $m;ds.setAnimationLoop(eu),typeof self<"u"&&ds.setContext(self),this.setAnimationLoop=function(A){Ar=A,lt.setAnimationLoop(A),A===null?ds.stop():ds.start()},lt.addEventListener("sessionstart",el),lt.addEventListener("sessionend",Zi),this.render=function(A,z){if(z!==void 0&&z.isCamera!==!0){Qt("WebGLRenderer.render: camera is not an instance of THREE.Camera.");return}if(L===!0)return;k!==null&&k.renderStart(A,z);let K=lt.enabled===!0&&lt.isPresenting===!0,q=U!==null&&(ct===null||K)&&U.begin(P,ct);if(A.matrixWorldAutoUpdate===!0&&A.updateMatrixWorld(),z.parent===null&&z.matrixWorldAutoUpdate===!0&&z.updateMatrixWorld(),lt.enabled===!0&&lt.isPresenting===!0&&(U===null||U.isCompositing()===!1)&&(lt.cameraAutoUpdate===!0&&lt.updateCamera(z),z=lt.getCamera()),A.isScene===!0&&A.onBeforeRender(P,A,z,ct),T=et.get(A,w.length),T.init(z),T.state.textureUnits=Yt.getTextureUnits(),w.push(T),Oe.multiplyMatrices(z.projectionMatrix,z.matrixWorldInverse),z.isArrayCamera?je.setFromArrayCamera(z):ie.setFromProjectionMatrix(Oe,Ai,z.reversedDepth),dn=this.localClippingEnabled,Ve=it.init(this.clippingPlanes,dn),R=yt.get(A,x.length),R.init(),x.push(R),this.info.render.frame++,lt.enabled===!0&&lt.isPresenting===!0){let Pt=P.xr.getDepthSensingMesh();Pt!==null&&ps(Pt,z,-1/0,P.sortObjects)}ps(A,z,0,P.sortObjects),R.finish(),k!==null&&k.updateLights(T.state.lightsArray),P.sortObjects===!0&&R.sort(Wt,re),sn=lt.enabled===!1||lt.isPresenting===!1||lt.hasDepthSensing()===!1,sn&&O.addToRenderList(R,A),this.info.autoReset===!0&&this.info.reset(),Ve===!0&&it.beginShadows();let Z=T.state.shadowsArray;if(pt.render(Z,A,z),Ve===!0&&it.endShadows(),(q&&U.hasRenderPass())===!1){let Pt=R.opaque,Tt=R.transmissive;if(T.setupLights(),z.isArrayCamera){let Lt=z.cameras;if(Tt.length>0)for(let zt=0,ne=Lt.length;zt<ne;zt++){let pe=Lt[zt];Di(Pt,Tt,A,pe)}sn&&O.render(A);for(let zt=0,ne=Lt.length;zt<ne;zt++){let pe=Lt[zt];Go(R,A,pe,pe.viewport)}}else Tt.length>0&&Di(Pt,Tt,A,z),sn&&O.render(A),Go(R,A,z)}ct!==null&&V===0&&(Yt.updateMultisampleRenderTarget(ct),Yt.updateRenderTargetMipmap(ct)),q&&U.end(P),A.isScene===!0&&A.onAfterRender(P,A,z),Mt.resetDefaultState(),J=-1,j=null,w.pop(),w.length>0?(T=w[w.length-1],Yt.setTextureUnits(T.state.textureUnits),Ve===!0&&it.setGlobalState(P.clippingPlanes,T.state.camera)):T=null,x.pop(),x.length>0?R=x[x.length-1]:R=null,k!==null&&k.renderEnd()};function ps(A,z,K,q){if(A.visible===!1)return;if(A.layers.test(z.layers)){if(A.isGroup)K=A.renderOrder;else if(A.isLOD)A.autoUpdate===!0&&A.update(z);else if(A.isLight)T.pushLight(A),A.castShadow&&T.pushShadow(A);else if(A.isSprite){let Pt=z.isArrayCamera?je:ie;if(!A.frustumCulled||A.intersectsFrustum(Pt)){q&&be.setFromMatrixPosition(A.matrixWorld).applyMatrix4(Oe);let Tt=ht.update(A),Lt=A.material;Lt.visible&&R.push(A,Tt,Lt,K,be.z,null,z)}}else if(A.isMesh||A.isLine||A.isPoints){let Pt=z.isArrayCamera?je:ie;if(!A.frustumCulled||A.intersectsFrustum(Pt)){let Tt=ht.update(A),Lt=A.material;if(q&&(A.boundingSphere!==void 0?(A.boundingSphere===null&&A.computeBoundingSphere(),be.copy(A.boundingSphere.center)):(Tt.boundingSphere===null&&Tt.computeBoundingSphere(),be.copy(Tt.boundingSphere.center)),be.applyMatrix4(A.matrixWorld).applyMatrix4(Oe)),Array.isArray(Lt)){let zt=Tt.groups;for(let ne=0,pe=zt.length;ne<pe;ne++){let kt=zt[ne],me=Lt[kt.materialIndex];me&&me.visible&&R.push(A,Tt,me,K,be.z,kt,z)}}else Lt.visible&&R.push(A,Tt,Lt,K,be.z,null,z)}}}let Et=A.children;for(let Pt=0,Tt=Et.length;Pt<Tt;Pt++)ps(Et[Pt],z,K,q)}function Go(A,z,K,q){let{opaque:Z,transmissive:Et,transparent:Pt}=A;T.setupLightsView(K),Ve===!0&&it.setGlobalState(P.clippingPlanes,K),q&&bt.viewport(st.copy(q)),Z.length>0&&rn(Z,z,K),Et.length>0&&rn(Et,z,K),Pt.length>0&&rn(Pt,z,K),bt.buffers.depth.setTest(!0),bt.buffers.depth.setMask(!0),bt.buffers.color.setMask(!0),bt.setPolygonOffset(!1)}function Di(A,z,K,q){if((K.isScene===!0?K.overrideMaterial:null)!==null)return;if(T.state.transmissionRenderTarget[q.id]===void 0){let kt=$t.has("EXT_color_buffer_half_float")||$t.has("EXT_color_buffer_float");T.state.transmissionRenderTarget[q.id]=new _i(1,1,{generateMipmaps:!0,type:kt?Vi:ri,minFilter:Ps,samples:Math.max(4,oe.samples),stencilBuffer:r,resolveDepthBuffer:!1,resolveStencilBuffer:!1,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,colorSpace:ve.workingColorSpace})}let Et=T.state.transmissionRenderTarget[q.id],Pt=q.viewport||st;Et.setSize(Pt.z*P.transmissionResolutionScale,Pt.w*P.transmissionResolutionScale);let Tt=P.getRenderTarget(),Lt=P.getActiveCubeFace(),zt=P.getActiveMipmapLevel();P.setRenderTarget(Et),P.getClearColor(Q),mt=P.getClearAlpha(),mt<1&&P.setClearColor(16777215,.5),P.clear(),sn&&O.render(K);let ne=P.toneMapping;P.toneMapping=os;let pe=q.viewport;if(q.viewport!==void 0&&(q.viewport=void 0),T.setupLightsView(q),Ve===!0&&it.setGlobalState(P.clippingPlanes,q),rn(A,K,q),Yt.updateMultisampleRenderTarget(Et),Yt.updateRenderTargetMipmap(Et),$t.has("WEBGL_multisampled_render_to_texture")===!1){let kt=!1;for(let me=0,nn=z.length;me<nn;me++){let Ne=z[me],{object:Ue,geometry:En,material:Ft,group:mn}=Ne;if(Ft.side===vn&&Ue.layers.test(q.layers)){let ye=Ft.side;Ft.side=ti,Ft.needsUpdate=!0,un(Ue,K,q,En,Ft,mn),Ft.side=ye,Ft.needsUpdate=!0,kt=!0}}kt===!0&&(Yt.updateMultisampleRenderTarget(Et),Yt.updateRenderTargetMipmap(Et))}P.setRenderTarget(Tt,Lt,zt),P.setClearColor(Q,mt),pe!==void 0&&(q.viewport=pe),P.toneMapping=ne}function rn(A,z,K){let q=z.isScene===!0?z.overrideMaterial:null;for(let Z=0,Et=A.length;Z<Et;Z++){let Pt=A[Z],{object:Tt,geometry:Lt,group:zt}=Pt,ne=Pt.material;ne.allowOverride===!0&&q!==null&&(ne=q),Tt.layers.test(K.layers)&&un(Tt,z,K,Lt,ne,zt)}}function un(A,z,K,q,Z,Et){k!==null&&Z.isNodeMaterial&&k.setObject(A,Z),A.onBeforeRender(P,z,K,q,Z,Et),A.modelViewMatrix.multiplyMatrices(K.matrixWorldInverse,A.matrixWorld),A.normalMatrix.getNormalMatrix(A.modelViewMatrix),Z.onBeforeRender(P,z,K,q,A,Et),Z.transparent===!0&&Z.side===vn&&Z.forceSinglePass===!1?(Z.side=ti,Z.needsUpdate=!0,P.renderBufferDirect(K,z,q,Z,A,Et),Z.side=tr,Z.needsUpdate=!0,P.renderBufferDirect(K,z,q,Z,A,Et),Z.side=vn):P.renderBufferDirect(K,z,q,Z,A,Et),A.onAfterRender(P,z,K,q,Z,Et)}function fn(A){let z=0;for(let K of A)K.texture!==null&&z++;return z}function $i(A,z,K){z.isScene!==!0&&(z=wn);let q=Ht.get(A),Z=T.state.lights,Et=T.state.shadowsArray,Pt=Z.state.version,Tt=ot.getParameters(A,Z.state,Et,z,K,T.state.lightProbeGridArray),Lt=ot.getProgramCacheKey(Tt),zt=q.programs;q.environment=A.isMeshStandardMaterial||A.isMeshLambertMaterial||A.isMeshPhongMaterial?z.environment:null,q.fog=z.fog;let ne=A.isMeshStandardMaterial||A.isMeshLambertMaterial&&!A.envMap||A.isMeshPhongMaterial&&!A.envMap;q.envMap=C.get(A.envMap||q.environment,ne),q.envMapRotation=q.environment!==null&&A.envMap===null?z.environmentRotation:A.envMapRotation,zt===void 0&&(A.addEventListener("dispose",le),zt=new Map,q.programs=zt,q.programVariants=new Map);let pe=zt.get(Lt);if(pe!==void 0){if(q.currentProgram===pe&&q.lightsStateVersion===Pt)return Vo(A,Tt),pe}else Tt.uniforms=ot.getUniforms(A),k!==null&&A.isNodeMaterial&&k.build(A,K,Tt),A.onBeforeCompile(Tt,P),pe=ot.acquireProgram(Tt,Lt),zt.set(Lt,pe),q.uniforms=Tt.uniforms;let kt=q.uniforms;return(!A.isShaderMaterial&&!A.isRawShaderMaterial||A.clipping===!0)&&(kt.clippingPlanes=it.uniform),Vo(A,Tt),q.needsLights=Os(A),q.lightsStateVersion=Pt,q.needsLights&&(kt.ambientLightColor.value=Z.state.ambient,kt.lightProbe.value=Z.state.probe,kt.sunLights.value=Z.state.sun,kt.sunLightShadows.value=Z.state.sunShadow,kt.directionalLights.value=Z.state.directional,kt.directionalLightShadows.value=Z.state.directionalShadow,kt.spotLights.value=Z.state.spot,kt.spotLightShadows.value=Z.state.spotShadow,kt.rectAreaLights.value=Z.state.rectArea,kt.ltc_1.value=Z.state.rectAreaLTC1,kt.ltc_2.value=Z.state.rectAreaLTC2,kt.pointLights.value=Z.state.point,kt.pointLightShadows.value=Z.state.pointShadow,kt.hemisphereLights.value=Z.state.hemi,kt.sunShadowMatrix.value=Z.state.sunShadowMatrix,kt.sunShadowCascade.value=Z.state.sunShadowCascade,kt.directionalShadowMatrix.value=Z.state.directionalShadowMatrix,kt.spotLightMatrix.value=Z.state.spotLightMatrix,kt.spotLightMap.value=Z.state.spotLightMap,kt.pointShadowMatrix.value=Z.state.pointShadowMatrix),q.numLightProbeGrids=fn(T.state.lightProbeGridArray),q.currentProgram=pe,q.uniformsList=null,pe}function li(A,z,K,q,Z){let Et=Ht.get(A),Pt=Et.currentProgram.id+","+q+","+Z,Tt=Et.programVariants.get(Pt);return Tt===void 0?(Tt=$i(A,z,K),Et.programVariants.set(Pt,Tt)):(Et.currentProgram=Tt,Et.uniformsList=null,Et.outputColorSpace=q,Et.toneMapping=Z),Tt}function Fs(A){if(A.uniformsList===null){let z=A.currentProgram.getUniforms();A.uniformsList=go.seqWithValue(z.seq,A.uniforms)}return A.uniformsList}function Vo(A,z){let K=Ht.get(A);K.outputColorSpace=z.outputColorSpace,K.batching=z.batching,K.batchingColor=z.batchingColor,K.instancing=z.instancing,K.instancingColor=z.instancingColor,K.instancingMorph=z.instancingMorph,K.skinning=z.skinning,K.morphTargets=z.morphTargets,K.morphNormals=z.morphNormals,K.morphColors=z.morphColors,K.morphTargetsCount=z.morphTargetsCount,K.numClippingPlanes=z.numClippingPlanes,K.numIntersection=z.numClipIntersection,K.vertexAlphas=z.vertexAlphas,K.vertexTangents=z.vertexTangents,K.toneMapping=z.toneMapping}function Wo(A,z,K,q,Z){z.isScene!==!0&&(z=wn),Yt.resetTextureUnits();let Et=z.fog,Pt=q.isMeshStandardMaterial||q.isMeshLambertMaterial||q.isMeshPhongMaterial?z.environment:null,Tt=ct===null?P.outputColorSpace:ct.isXRRenderTarget===!0?ct.texture.colorSpace:ve.workingColorSpace,Lt=q.isMeshStandardMaterial||q.isMeshLambertMaterial&&!q.envMap||q.isMeshPhongMaterial&&!q.envMap,zt=C.get(q.envMap||Pt,Lt),ne=q.vertexColors===!0&&!!K.attributes.color&&K.attributes.color.itemSize===4,pe=!!K.attributes.tangent&&(!!q.normalMap||q.anisotropy>0),kt=!!K.morphAttributes.position,me=!!K.morphAttributes.normal,nn=!!K.morphAttributes.color,Ne=os;q.toneMapped&&(ct===null||ct.isXRRenderTarget===!0)&&(Ne=P.toneMapping);let Ue=K.morphAttributes.position||K.morphAttributes.normal||K.morphAttributes.color,En=Ue!==void 0?Ue.length:0,Ft=Ht.get(q),mn=T.state.lights;if(Ve===!0&&(dn===!0||A!==j)){let Fe=A===j&&q.id===J;it.setState(q,A,Fe)}let ye=!1,ms=!1;q.version===Ft.__version?Ft.needsLights&&Ft.lightsStateVersion!==mn.state.version||Z.isBatchedMesh&&Ft.batching===!1||!Z.isBatchedMesh&&Ft.batching===!0||Z.isBatchedMesh&&Ft.batchingColor===!0&&Z._colorsTexture===null||Z.isBatchedMesh&&Ft.batchingColor===!1&&Z._colorsTexture!==null||Z.isInstancedMesh&&Ft.instancing===!1||!Z.isInstancedMesh&&Ft.instancing===!0||Z.isSkinnedMesh&&Ft.skinning===!1||!Z.isSkinnedMesh&&Ft.skinning===!0||Z.isInstancedMesh&&Ft.instancingColor===!0&&Z.instanceColor===null||Z.isInstancedMesh&&Ft.instancingColor===!1&&Z.instanceColor!==null||Z.isInstancedMesh&&Ft.instancingMorph===!0&&Z.morphTexture===null||Z.isInstancedMesh&&Ft.instancingMorph===!1&&Z.morphTexture!==null||Ft.envMap!==zt||q.fog===!0&&Ft.fog!==Et||Ft.numClippingPlanes!==void 0&&(Ft.numClippingPlanes!==it.numPlanes||Ft.numIntersection!==it.numIntersection)||Ft.vertexAlphas!==ne||Ft.vertexTangents!==pe||Ft.morphTargets!==kt||Ft.morphNormals!==me||Ft.morphColors!==nn||Ft.morphTargetsCount!==En||Ft.numLightProbeGrids!==fn(T.state.lightProbeGridArray)?ye=!0:(Ft.outputColorSpace!==Tt||Ft.toneMapping!==Ne)&&(ms=!0):(ye=!0,Ft.__version=q.version);let gn=Ft.currentProgram;(ye===!0||ms===!0)&&(gn=ms===!0?li(q,z,Z,Tt,Ne):$i(q,z,Z),k&&q.isNodeMaterial&&k.onUpdateProgram(q,gn,Ft));let Pr=!1,Ji=!1,gs=!1,ue=gn.getUniforms(),on=Ft.uniforms;if(bt.useProgram(gn.program)&&(Pr=!0,Ji=!0,gs=!0),q.id!==J&&(J=q.id,Ji=!0),Pr||j!==A){bt.buffers.depth.getReversed()&&A.reversedDepth!==!0&&(A._reversedDepth=!0,A.updateProjectionMatrix()),ue.setValue(B,"projectionMatrix",A.projectionMatrix),ue.setValue(B,"viewMatrix",A.matrixWorldInverse);let _n=ue.map.cameraPosition;_n!==void 0&&_n.setValue(B,In.setFromMatrixPosition(A.matrixWorld)),oe.logarithmicDepthBuffer&&ue.setValue(B,"logDepthBufFC",2/(Math.log(A.far+1)/Math.LN2)),(q.isMeshPhongMaterial||q.isMeshToonMaterial||q.isMeshLambertMaterial||q.isMeshBasicMaterial||q.isMeshStandardMaterial||q.isShaderMaterial)&&ue.setValue(B,"isOrthographic",A.isOrthographicCamera===!0),j!==A&&(j=A,Ji=!0,gs=!0)}if(Ft.needsLights&&(mn.state.sunShadowMap.length>0&&ue.setValue(B,"sunShadowMap",mn.state.sunShadowMap,Yt),mn.state.directionalShadowMap.length>0&&ue.setValue(B,"directionalShadowMap",mn.state.directionalShadowMap,Yt),mn.state.spotShadowMap.length>0&&ue.setValue(B,"spotShadowMap",mn.state.spotShadowMap,Yt),mn.state.pointShadowMap.length>0&&ue.setValue(B,"pointShadowMap",mn.state.pointShadowMap,Yt)),Z.isSkinnedMesh){ue.setOptional(B,Z,"bindMatrix"),ue.setOptional(B,Z,"bindMatrixInverse");let Fe=Z.skeleton;Fe&&(Fe.boneTexture===null&&Fe.computeBoneTexture(),ue.setValue(B,"boneTexture",Fe.boneTexture,Yt))}Z.isBatchedMesh&&(ue.setOptional(B,Z,"batchingTexture"),ue.setValue(B,"batchingTexture",Z._matricesTexture,Yt),ue.setOptional(B,Z,"batchingIdTexture"),ue.setValue(B,"batchingIdTexture",Z._indirectTexture,Yt),ue.setOptional(B,Z,"batchingColorTexture"),Z._colorsTexture!==null&&ue.setValue(B,"batchingColorTexture",Z._colorsTexture,Yt));let Yn=K.morphAttributes;if((Yn.position!==void 0||Yn.normal!==void 0||Yn.color!==void 0)&&rt.update(Z,K,gn),(Ji||Ft.receiveShadow!==Z.receiveShadow)&&(Ft.receiveShadow=Z.receiveShadow,ue.setValue(B,"receiveShadow",Z.receiveShadow)),(q.isMeshStandardMaterial||q.isMeshLambertMaterial||q.isMeshPhongMaterial)&&q.envMap===null&&z.environment!==null&&(on.envMapIntensity.value=z.environmentIntensity),on.dfgLUT!==void 0&&(on.dfgLUT.value=pb()),Ji){if(ue.setValue(B,"toneMappingExposure",P.toneMappingExposure),Ft.needsLights&&Rr(on,gs),Et&&q.fog===!0&&_t.refreshFogUniforms(on,Et),_t.refreshMaterialUniforms(on,q,St,At,T.state.transmissionRenderTarget[A.id]),Ft.needsLights&&Ft.numLightProbeGrids>0){let Fe=M,_n=0;for(let Gn of T.state.lightProbeGridArray)Gn.texture!==null&&(Fe.textures[_n]=Gn.texture,Fe.min[_n]=Gn.boundingBox.min,Fe.max[_n]=Gn.boundingBox.max,Fe.resolution[_n]=Gn.resolution,_n++);for(let Gn in Fe)Fe[Gn].length=_n;on.probesSH.value=Fe.textures,on.probesMin.value=Fe.min,on.probesMax.value=Fe.max,on.probesResolution.value=Fe.resolution}go.upload(B,Fs(Ft),on,Yt)}if(q.isShaderMaterial&&q.uniformsNeedUpdate===!0&&(go.upload(B,Fs(Ft),on,Yt),q.uniformsNeedUpdate=!1),q.isSpriteMaterial&&ue.setValue(B,"center",Z.center),ue.setValue(B,"modelViewMatrix",Z.modelViewMatrix),ue.setValue(B,"normalMatrix",Z.normalMatrix),ue.setValue(B,"modelMatrix",Z.matrixWorld),q.uniformsGroups!==void 0){let Fe=q.uniformsGroups;for(let _n=0,Gn=Fe.length;_n<Gn;_n++){let nl=Fe[_n];Vt.update(nl,gn),Vt.bind(nl,gn)}}return gn}function Rr(A,z){A.ambientLightColor.needsUpdate=z,A.lightProbe.needsUpdate=z,A.sunLights.needsUpdate=z,A.sunLightShadows.needsUpdate=z,A.directionalLights.needsUpdate=z,A.directionalLightShadows.needsUpdate=z,A.pointLights.needsUpdate=z,A.pointLightShadows.needsUpdate=z,A.spotLights.needsUpdate=z,A.spotLightShadows.needsUpdate=z,A.rectAreaLights.needsUpdate=z,A.hemisphereLights.needsUpdate=z}function Os(A){return A.isMeshLambertMaterial||A.isMeshToonMaterial||A.isMeshPhongMaterial||A.isMeshStandardMaterial||A.isShadowMaterial||A.isShaderMaterial&&A.lights===!0}this.getActiveCubeFace=function(){return Y},this.getActiveMipmapLevel=function(){return V},this.getRenderTarget=function(){return ct},this.setRenderTargetTextures=function(A,z,K){let q=Ht.get(A);q.__autoAllocateDepthBuffer=A.resolveDepthBuffer===!1,q.__autoAllocateDepthBuffer===!1&&(q.__useRenderToTexture=!1),Ht.get(A.texture).__webglTexture=z,Ht.get(A.depthTexture).__webglTexture=q.__autoAllocateDepthBuffer?void 0:K,q.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(A,z){let K=Ht.get(A);K.__webglFramebuffer=z,K.__useDefaultFramebuffer=z===void 0},this.setRenderTarget=function(A,z=0,K=0){ct=A,Y=z,V=K;let q=null,Z=!1,Et=!1;if(A){let Tt=Ht.get(A);if(Tt.__useDefaultFramebuffer!==void 0){bt.bindFramebuffer(B.FRAMEBUFFER,Tt.__webglFramebuffer),st.copy(A.viewport),ft.copy(A.scissor),ut=A.scissorTest,bt.viewport(st),bt.scissor(ft),bt.setScissorTest(ut),J=-1;return}else if(Tt.__webglFramebuffer===void 0)Yt.setupRenderTarget(A);else if(Tt.__hasExternalTextures)Yt.rebindTextures(A,Ht.get(A.texture).__webglTexture,Ht.get(A.depthTexture).__webglTexture);else if(A.depthBuffer){let ne=A.depthTexture;if(Tt.__boundDepthTexture!==ne){if(ne!==null&&Ht.has(ne)&&(A.width!==ne.image.width||A.height!==ne.image.height))throw new Error("THREE.WebGLRenderer: Attached DepthTexture is initialized to the incorrect size.");Yt.setupDepthRenderbuffer(A)}}let Lt=A.texture;(Lt.isData3DTexture||Lt.isDataArrayTexture||Lt.isCompressedArrayTexture)&&(Et=!0);let zt=Ht.get(A).__webglFramebuffer;A.isWebGLCubeRenderTarget?(Array.isArray(zt[z])?q=zt[z][K]:q=zt[z],Z=!0):A.samples>0&&Yt.useMultisampledRTT(A)===!1?q=Ht.get(A).__webglMultisampledFramebuffer:Array.isArray(zt)?q=zt[K]:q=zt,st.copy(A.viewport),ft.copy(A.scissor),ut=A.scissorTest}else st.copy(Gt).multiplyScalar(St).floor(),ft.copy(de).multiplyScalar(St).floor(),ut=he;if(K!==0&&(q=H),bt.bindFramebuffer(B.FRAMEBUFFER,q)&&bt.drawBuffers(A,q),bt.viewport(st),bt.scissor(ft),bt.setScissorTest(ut),Z){let Tt=Ht.get(A.texture);B.framebufferTexture2D(B.FRAMEBUFFER,B.COLOR_ATTACHMENT0,B.TEXTURE_CUBE_MAP_POSITIVE_X+z,Tt.__webglTexture,K)}else if(Et){let Tt=z;for(let Lt=0;Lt<A.textures.length;Lt++){let zt=Ht.get(A.textures[Lt]);B.framebufferTextureLayer(B.FRAMEBUFFER,B.COLOR_ATTACHMENT0+Lt,zt.__webglTexture,K,Tt)}}else if(A!==null&&K!==0){let Tt=Ht.get(A.texture);B.framebufferTexture2D(B.FRAMEBUFFER,B.COLOR_ATTACHMENT0,B.TEXTURE_2D,Tt.__webglTexture,K)}J=-1};function Cr(A){let z=Ht.get(A);return(z.__readFormat!==A.format||z.__readType!==A.type)&&(z.__readFormat=A.format,z.__readType=A.type,z.__formatReadable=oe.textureFormatReadable(A.format),z.__typeReadable=oe.textureTypeReadable(A.type)),z}this.readRenderTargetPixels=function(A,z,K,q,Z,Et,Pt,Tt=0){if(!(A&&A.isWebGLRenderTarget)){Qt("WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");return}let Lt=Ht.get(A).__webglFramebuffer;if(A.isWebGLCubeRenderTarget&&Pt!==void 0&&(Lt=Lt[Pt],Array.isArray(Lt)&&(Lt=Lt[0])),Lt){bt.bindFramebuffer(B.FRAMEBUFFER,Lt);try{let zt=A.textures[Tt],ne=zt.format,pe=zt.type;A.textures.length>1&&B.readBuffer(B.COLOR_ATTACHMENT0+Tt);let kt=Cr(zt);if(kt.__formatReadable===!1){Qt("WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.");return}if(kt.__typeReadable===!1){Qt("WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.");return}z>=0&&z<=A.width-q&&K>=0&&K<=A.height-Z&&B.readPixels(z,K,q,Z,gt.convert(ne),gt.convert(pe),Et)}finally{let zt=ct!==null?Ht.get(ct).__webglFramebuffer:null;bt.bindFramebuffer(B.FRAMEBUFFER,zt)}}},this.readRenderTargetPixelsAsync=async function(A,z,K,q,Z,Et,Pt,Tt=0){if(!(A&&A.isWebGLRenderTarget))throw new Error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");let Lt=Ht.get(A).__webglFramebuffer;if(A.isWebGLCubeRenderTarget&&Pt!==void 0&&(Lt=Lt[Pt],Array.isArray(Lt)&&(Lt=Lt[0])),Lt)if(z>=0&&z<=A.width-q&&K>=0&&K<=A.height-Z){bt.bindFramebuffer(B.FRAMEBUFFER,Lt);let zt=A.textures[Tt],ne=zt.format,pe=zt.type;A.textures.length>1&&B.readBuffer(B.COLOR_ATTACHMENT0+Tt);let kt=Cr(zt);if(kt.__formatReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.");if(kt.__typeReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.");let me=B.createBuffer();B.bindBuffer(B.PIXEL_PACK_BUFFER,me),B.bufferData(B.PIXEL_PACK_BUFFER,Et.byteLength,B.STREAM_READ),B.readPixels(z,K,q,Z,gt.convert(ne),gt.convert(pe),0),B.bindBuffer(B.PIXEL_PACK_BUFFER,null);let nn=ct!==null?Ht.get(ct).__webglFramebuffer:null;bt.bindFramebuffer(B.FRAMEBUFFER,nn);let Ne=B.fenceSync(B.SYNC_GPU_COMMANDS_COMPLETE,0);return B.flush(),await vm(B,Ne,4),B.bindBuffer(B.PIXEL_PACK_BUFFER,me),B.getBufferSubData(B.PIXEL_PACK_BUFFER,0,Et),B.bindBuffer(B.PIXEL_PACK_BUFFER,null),B.deleteBuffer(me),B.deleteSync(Ne),Et}else throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.")},this.copyFramebufferToTexture=function(A,z=null,K=0){let q=Math.pow(2,-K),Z=Math.floor(A.image.width*q),Et=Math.floor(A.image.height*q),Pt=z!==null?z.x:0,Tt=z!==null?z.y:0;Yt.setTexture2D(A,0),B.copyTexSubImage2D(B.TEXTURE_2D,K,0,0,Pt,Tt,Z,Et),bt.unbindTexture()},this.copyTextureToTexture=function(A,z,K=null,q=null,Z=0,Et=0){let Pt,Tt,Lt,zt,ne,pe,kt,me,nn,Ne=A.isCompressedTexture?A.mipmaps[Et]:A.image;if(K!==null)Pt=K.max.x-K.min.x,Tt=K.max.y-K.min.y,Lt=K.isBox3?K.max.z-K.min.z:1,zt=K.min.x,ne=K.min.y,pe=K.isBox3?K.min.z:0;else{let ue=Math.pow(2,-Z);Pt=Math.floor(Ne.width*ue),Tt=Math.floor(Ne.height*ue),A.isDataArrayTexture?Lt=Ne.depth:A.isData3DTexture?Lt=Math.floor(Ne.depth*ue):Lt=1,zt=0,ne=0,pe=0}q!==null?(kt=q.x,me=q.y,nn=q.z):(kt=0,me=0,nn=0);let Ue=gt.convert(z.format),En=gt.convert(z.type),Ft;z.isData3DTexture?(Yt.setTexture3D(z,0),Ft=B.TEXTURE_3D):z.isDataArrayTexture||z.isCompressedArrayTexture?(Yt.setTexture2DArray(z,0),Ft=B.TEXTURE_2D_ARRAY):(Yt.setTexture2D(z,0),Ft=B.TEXTURE_2D),bt.activeTexture(B.TEXTURE0),bt.pixelStorei(B.UNPACK_FLIP_Y_WEBGL,z.flipY),bt.pixelStorei(B.UNPACK_PREMULTIPLY_ALPHA_WEBGL,z.premultiplyAlpha),bt.pixelStorei(B.UNPACK_ALIGNMENT,z.unpackAlignment);let mn=bt.getParameter(B.UNPACK_ROW_LENGTH),ye=bt.getParameter(B.UNPACK_IMAGE_HEIGHT),ms=bt.getParameter(B.UNPACK_SKIP_PIXELS),gn=bt.getParameter(B.UNPACK_SKIP_ROWS),Pr=bt.getParameter(B.UNPACK_SKIP_IMAGES);bt.pixelStorei(B.UNPACK_ROW_LENGTH,Ne.width),bt.pixelStorei(B.UNPACK_IMAGE_HEIGHT,Ne.height),bt.pixelStorei(B.UNPACK_SKIP_PIXELS,zt),bt.pixelStorei(B.UNPACK_SKIP_ROWS,ne),bt.pixelStorei(B.UNPACK_SKIP_IMAGES,pe);let Ji=A.isDataArrayTexture||A.isData3DTexture,gs=z.isDataArrayTexture||z.isData3DTexture;if(A.isDepthTexture){let ue=Ht.get(A),on=Ht.get(z),Yn=Ht.get(ue.__renderTarget),Fe=Ht.get(on.__renderTarget);bt.bindFramebuffer(B.READ_FRAMEBUFFER,Yn.__webglFramebuffer),bt.bindFramebuffer(B.DRAW_FRAMEBUFFER,Fe.__webglFramebuffer);for(let _n=0;_n<Lt;_n++)Ji&&(B.framebufferTextureLayer(B.READ_FRAMEBUFFER,B.COLOR_ATTACHMENT0,Ht.get(A).__webglTexture,Z,pe+_n),B.framebufferTextureLayer(B.DRAW_FRAMEBUFFER,B.COLOR_ATTACHMENT0,Ht.get(z).__webglTexture,Et,nn+_n)),B.blitFramebuffer(zt,ne,zt+Pt,ne+Tt,kt,me,kt+Pt,me+Tt,B.DEPTH_BUFFER_BIT,B.NEAREST);bt.bindFramebuffer(B.READ_FRAMEBUFFER,null),bt.bindFramebuffer(B.DRAW_FRAMEBUFFER,null)}else if(Z!==0||A.isRenderTargetTexture||Ht.has(A)){let ue=Ht.get(A),on=Ht.get(z);bt.bindFramebuffer(B.READ_FRAMEBUFFER,N),bt.bindFramebuffer(B.DRAW_FRAMEBUFFER,W);for(let Yn=0;Yn<Lt;Yn++)Ji?B.framebufferTextureLayer(B.READ_FRAMEBUFFER,B.COLOR_ATTACHMENT0,ue.__webglTexture,Z,pe+Yn):B.framebufferTexture2D(B.READ_FRAMEBUFFER,B.COLOR_ATTACHMENT0,B.TEXTURE_2D,ue.__webglTexture,Z),gs?B.framebufferTextureLayer(B.DRAW_FRAMEBUFFER,B.COLOR_ATTACHMENT0,on.__webglTexture,Et,nn+Yn):B.framebufferTexture2D(B.DRAW_FRAMEBUFFER,B.COLOR_ATTACHMENT0,B.TEXTURE_2D,on.__webglTexture,Et),Z!==0?B.blitFramebuffer(zt,ne,zt+Pt,ne+Tt,kt,me,kt+Pt,me+Tt,B.COLOR_BUFFER_BIT,B.NEAREST):gs?B.copyTexSubImage3D(Ft,Et,kt,me,nn+Yn,zt,ne,Pt,Tt):B.copyTexSubImage2D(Ft,Et,kt,me,zt,ne,Pt,Tt);bt.bindFramebuffer(B.READ_FRAMEBUFFER,null),bt.bindFramebuffer(B.DRAW_FRAMEBUFFER,null)}else gs?A.isDataTexture||A.isData3DTexture?B.texSubImage3D(Ft,Et,kt,me,nn,Pt,Tt,Lt,Ue,En,Ne.data):z.isCompressedArrayTexture?B.compressedTexSubImage3D(Ft,Et,kt,me,nn,Pt,Tt,Lt,Ue,Ne.data):B.texSubImage3D(Ft,Et,kt,me,nn,Pt,Tt,Lt,Ue,En,Ne):A.isDataTexture?B.texSubImage2D(B.TEXTURE_2D,Et,kt,me,Pt,Tt,Ue,En,Ne.data):A.isCompressedTexture?B.compressedTexSubImage2D(B.TEXTURE_2D,Et,kt,me,Ne.width,Ne.height,Ue,Ne.data):B.texSubImage2D(B.TEXTURE_2D,Et,kt,me,Pt,Tt,Ue,En,Ne);bt.pixelStorei(B.UNPACK_ROW_LENGTH,mn),bt.pixelStorei(B.UNPACK_IMAGE_HEIGHT,ye),bt.pixelStorei(B.UNPACK_SKIP_PIXELS,ms),bt.pixelStorei(B.UNPACK_SKIP_ROWS,gn),bt.pixelStorei(B.UNPACK_SKIP_IMAGES,Pr),Et===0&&z.generateMipmaps===!0&&z.mipmapsAutoUpdate===!0&&B.generateMipmap(Ft),bt.unbindTexture()},this.initRenderTarget=function(A){Ht.get(A).__webglFramebuffer===void 0&&Yt.setupRenderTarget(A)},this.initTexture=function(A){A.isCubeTexture?Yt.setTextureCube(A,0):A.isData3DTexture?Yt.setTexture3D(A,0):A.isDataArrayTexture||A.isCompressedArrayTexture?Yt.setTexture2DArray(A,0):Yt.setTexture2D(A,0),bt.unbindTexture()},this.resetState=function(){Y=0,V=0,ct=null,bt.reset(),Mt.reset()},typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}get coordinateSystem(){return Ai}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(t){this._outputColorSpace=t;let e=this.getContext();e.drawingBufferColorSpace=ve._getDrawingBufferColorSpace(t),e.unpackColorSpace=ve._getUnpackColorSpace()}};var Ae=(i,t)=>[i[0]+t[0],i[1]+t[1],i[2]+t[2]],Me=(i,t)=>[i[0]-t[0],i[1]-t[1],i[2]-t[2]],we=(i,t)=>[i[0]*t,i[1]*t,i[2]*t],cs=(i,t)=>i[0]*t[0]+i[1]*t[1]+i[2]*t[2],en=i=>Math.hypot(i[0],i[1],i[2]),vi=(i,t)=>[i[1]*t[2]-i[2]*t[1],i[2]*t[0]-i[0]*t[2],i[0]*t[1]-i[1]*t[0]],Mn=i=>we(i,1/(en(i)||1)),Sn=i=>[i[0],-i[1],-i[2],-i[3]],Ga=[1,0,0,0];function cn(i,t){return[i[0]*t[0]-i[1]*t[1]-i[2]*t[2]-i[3]*t[3],i[0]*t[1]+i[1]*t[0]+i[2]*t[3]-i[3]*t[2],i[0]*t[2]-i[1]*t[3]+i[2]*t[0]+i[3]*t[1],i[0]*t[3]+i[1]*t[2]-i[2]*t[1]+i[3]*t[0]]}function Ee(i,t){let e=[i[1],i[2],i[3]],n=we(vi(e,t),2);return Ae(Ae(t,we(n,i[0])),vi(e,n))}function og(i,t,e){let n=i[0]*t[0]+i[1]*t[1]+i[2]*t[2]+i[3]*t[3],s=n<0?-1:1;n=Math.min(1,s*n);let r=Math.acos(n),o=r<1e-6,a=o?1-e:Math.sin((1-e)*r)/Math.sin(r),l=s*(o?e:Math.sin(e*r)/Math.sin(r)),c=i.map((u,f)=>a*u+l*t[f]),h=Math.hypot(...c);return c.map(u=>u/h)}function Xf(i,t,e){let n=i[0]+t[1]+e[2],s=[n,i[0],t[1],e[2]],r=s.indexOf(Math.max(...s)),o;r===0?o=[1+n,t[2]-e[1],e[0]-i[2],i[1]-t[0]]:r===1?o=[t[2]-e[1],1+2*i[0]-n,t[0]+i[1],e[0]+i[2]]:r===2?o=[e[0]-i[2],t[0]+i[1],1+2*t[1]-n,e[1]+t[2]]:o=[i[1]-t[0],e[0]+i[2],e[1]+t[2],1+2*e[2]-n];let a=Math.hypot(...o);return o.map(l=>l/a)}function Wa(i){let{scene:t}=i,e=[];for(let{name:n}of t.bodies)e.push({key:`inertial:${n}`,label:`${n}, inertial axes`});for(let{name:n}of t.bodies)e.push({key:`body:${n}`,label:`${n}, body axes`});for(let{name:n,bodies:s}of t.joints)e.push({key:`joint:${n}`,label:`joint ${n}, axes of ${s[0]}`});for(let{name:n,on:s}of t.stations||[])e.push({key:`interface:${n}`,label:`interface ${n}, station on ${s}`});if(t.planet){for(let{name:n}of t.bodies)e.push({key:`horizon:${n}`,label:`${n}, local horizon`});e.push({key:"site:",label:"start position, fixed to the ground"})}return e}function ag(i){let{scene:t}=i,e=t.reference;return t.planet?`horizon:${e}`:`inertial:${e}`}function Va(i,t){let e=.5*(i.angle+i.rotation_rate*t);return[Math.cos(e),0,0,Math.sin(e)]}function mh(i,t){if(i.kind==="flat"){let o=Mn(i.up),a=Mn(Me(i.north,we(o,cs(i.north,o))));return Xf(vi(a,o),a,o)}let e=i.flattening*(2-i.flattening),n=Mn([t[0],t[1],t[2]/(1-e)]),s=Math.abs(n[2])>1-1e-12?[1,0,0]:[0,0,1],r=Mn(vi(s,n));return Xf(r,vi(n,r),n)}function Ds(i,t,e){let[n,s]=[t.slice(0,t.indexOf(":")),t.slice(t.indexOf(":")+1)],{planet:r}=i.scene,o={p:[0,0,0],q:Ga};if(n==="joint"){let l=i.joints.get(s),c=l&&i.drawing(l.bodies[0],e);return c?{p:i.point(l.bodies[0],l.at[0],e),q:cn(c.q,l.turn)}:o}if(n==="interface"){let l=i.stations.get(s),[c,h]=l?[i.point(l.on,l.at,e),i.drawing(l.axes_of,e)]:[];return c&&h?{p:c,q:cn(h.q,l.turn)}:o}if(n==="site"&&r)return mb(i,r,e);let a=i.pose(s,e);if(!a)return o;if(n==="body")return{p:a.p,q:a.q};if(n==="horizon"&&r){let l=i.origin(e).p;return{p:a.p,q:mh(r,a.p.map((c,h)=>c+l[h]))}}return{p:a.p,q:Ga}}function mb(i,t,e){let n=i.scene.span[0],s=i.origin(n).p,r=mh(t,s);if(t.kind==="flat")return{p:Me(s,i.origin(e).p),q:r};let o=cn(Va(t,e),Sn(Va(t,n)));return{p:Me(Ee(o,s),i.origin(e).p),q:cn(o,r)}}function xo(i,t){let e=Sn(i.q);return{p:Ee(e,Me(t.p,i.p)),q:cn(e,t.q)}}var Xe=(i,t)=>Ee(Sn(i.q),Me(t,i.p));function cg(i,t){let e=-1,n=i.length;for(;n-e>1;){let s=e+n>>1;i[s]<=t?e=s:n=s}return e}var lg=(i,t)=>[i[3*t],i[3*t+1],i[3*t+2]],hg=1e-9,Xa=class{constructor(t,e){this.times=t.array(e.times),this.positions=t.array(e.positions),this.velocities=t.array(e.velocities),this.attitudes=t.array(e.attitudes),this.first=this.times[0],this.last=this.times[this.times.length-1]}at(t){let e=hg*Math.max(1,Math.abs(t));if(!(t>=this.first-e&&t<=this.last+e))return null;let n=this.times.length,s=Math.max(0,cg(this.times,t));return s>=n-1?this.knot(n-1)||this.knot(s):this.between(s,s+1,t)||(t-this.times[s]<=e?this.knot(s):null)}knot(t){let e=lg(this.positions,t),n=[...this.attitudes.subarray(4*t,4*t+4)];return[...e,...n].every(Number.isFinite)?{p:e,q:n,v:lg(this.velocities,t)}:null}between(t,e,n){let s=this.knot(t),r=this.knot(e);if(!s||!r)return null;let o=this.times[e]-this.times[t];if(!(o>0))return r;let a=Math.min(1,Math.max(0,(n-this.times[t])/o)),l=[0,0,0],c=[0,0,0];for(let h=0;h<3;h++){let u=r.p[h]-s.p[h],[f,d]=[s.v[h]*o,r.v[h]*o],p=3*u-2*f-d,v=f+d-2*u;l[h]=s.p[h]+a*(f+a*(p+a*v)),c[h]=(f+a*(2*p+3*a*v))/o}return{p:l,v:c,q:og(s.q,r.q,a)}}},hn=class{constructor(t,e){this.times=t.array(e.times),this.values=t.array(e.values),this.size=e.size}at(t){let e=this.times.length,n=hg*Math.max(1,Math.abs(t));if(!e||t<this.times[0]-n||t>this.times[e-1]+n)return null;let s=Math.min(e-1,Math.max(0,cg(this.times,t))),r=Math.min(e-1,s+1),o=this.times[r]-this.times[s],a=o>0?Math.min(1,Math.max(0,(t-this.times[s])/o)):0,l=[];for(let c=0;c<this.size;c++){let h=this.values[s*this.size+c],u=this.values[r*this.size+c];l.push(a===0?h:h+a*(u-h))}return l.every(Number.isFinite)?l:null}largest(){let t=0;for(let e=0;e<this.times.length;e++){let n=Math.hypot(...this.values.subarray(e*this.size,(e+1)*this.size));n>t&&(t=n)}return t}};var gb={"joint force":["#c2185b","N",!0],"joint torque":["#7b1fa2","N m",!1],thrust:["#e65100","N",!1],"contact force":["#d3222a","N",!0],"aerodynamic force":["#00838f","N",!1],velocity:["#2e7d32","m/s",!1],"angular velocity":["#6a4c93","rad/s",!1]},_b=["#5d4037","N",!1],xb=new F(0,0,1),yb=i=>{let t=10**Math.floor(Math.log10(i));return[1,2,5,10].filter(e=>e*t>=i*.999)[0]*t},gh=class{constructor(t,e,n){this.flight=t,this.size=e,this.labels=n,this.group=new te,this.kinds=new Map;for(let s of this.sources())this.add(s);for(let s of this.kinds.values())this.scale(s)}sources(){let{flight:t}=this,e=[];for(let n of t.scene.joints)for(let[s,r]of[["joint force","force"],["joint torque","torque"]]){if(!n[r])continue;let o=new hn(t.scene,n[r]);e.push(this.ofBody(s,n.name,n.bodies[1],n.at[1],o,!1))}for(let n of t.scene.items.filter(s=>s.type==="arrow")){let s=new hn(t.scene,n.values);e.push(this.ofBody(n.kind,n.name,n.body,n.at,s,n.inertial))}for(let n of t.scene.items.filter(s=>s.type==="contactpoint"))e.push(this.ofContact(n));for(let{name:n}of t.scene.bodies)n!==t.reference&&e.push({kind:"velocity",name:n,largest:this.fastest(n),at:s=>t.pose(n,s)?.p,vector:s=>t.pose(n,s)?.v});return e.filter(n=>n.largest>(n.kind.includes("velocity")?1e-6:this.least(n.kind)))}least(t){return 1e-4*Math.max(...this.flight.scene.bodies.map(n=>n.mass||0))*(t.includes("torque")?this.size:1)}ofContact(t){let{flight:e}=this,n=new hn(e.scene,t.values),s=0;for(let o=0;o<n.times.length;o++)s=Math.max(s,en([...n.values.subarray(6*o+3,6*o+6)])||0);let r=o=>{let a=n.at(o);return a&&e.point(t.body,a.slice(0,3),o)};return{kind:"contact force",name:t.name,largest:s,at:r,vector:o=>n.at(o)?.slice(3)??null}}ofBody(t,e,n,s,r,o){let{flight:a}=this,l=c=>{let[h,u]=[r.at(c),a.drawing(n,c)];return h&&u&&(o?h:Ee(u.q,h))};return{kind:t,name:e,largest:r.largest(),vector:l,at:c=>a.point(n,s||a.centre(n,c),c)}}fastest(t){let e=this.flight.tracks.get(t),n=0;for(let s=0;s<e.times.length;s++){let r=en([...e.velocities.subarray(3*s,3*s+3)]);r>n&&(n=r)}return n}add(t){let[e,n,s]=gb[t.kind]||_b;this.kinds.has(t.kind)||this.kinds.set(t.kind,{name:t.kind,colour:e,unit:n,on:s,arrows:[]});let r=new Qn({color:e,depthTest:!1,transparent:!0}),o=new _e(new Ci(1,1,1,10).rotateX(Math.PI/2).translate(0,0,.5),r),a=new _e(new dr(1,1,16).rotateX(Math.PI/2).translate(0,0,.5),r),l=new te().add(o,a);l.renderOrder=o.renderOrder=a.renderOrder=6,this.group.add(l),this.kinds.get(t.kind).arrows.push({source:t,arrow:l,shaft:o,head:a})}scale(t){let e=Math.max(...t.arrows.map(({source:r})=>r.largest)),{length:n,units:s}=this.flight.scene;[t.factor,t.unitText]=s[t.unit]||[1,t.unit],t.perLength=yb(e/(.6*this.size)*t.factor/n[0]),t.perMetre=t.perLength*n[0]/t.factor}place(t,e){for(let n of this.kinds.values())for(let{source:s,arrow:r,shaft:o,head:a}of n.arrows){let[l,c]=n.on?[s.at(e),s.vector(e)]:[null,null],h=c?en(c):0,u=h/n.perMetre;if(r.visible=!!l&&u>.004*this.size,!r.visible)continue;let f=we(Ee(Sn(t.q),c),1/h);r.position.set(...Xe(t,l)),r.quaternion.setFromUnitVectors(xb,new F(...f));let d=Math.min(.05*this.size,.5*u);o.scale.set(.006*this.size,.006*this.size,u-d),a.position.set(0,0,u-d),a.scale.set(.02*this.size,.02*this.size,d)}}};var yo=64;function vb(i,t){let e=t?[...i,i[0]]:i,n=[],s=[];for(let o=0;o+1<e.length;o++){let[[a,l],[c,h]]=[e[o],e[o+1]],u=Math.hypot(c-a,h-l);if(!(u>0)||a===0&&c===0)continue;let[f,d]=[(h-l)/u,-(c-a)/u];for(let p=0;p<yo;p++){let[v,g]=[p,p+1].map(_=>2*Math.PI*_/yo),m=(_,b,M)=>{n.push(_*Math.cos(M),_*Math.sin(M),b),s.push(f*Math.cos(M),f*Math.sin(M),d)};m(a,l,v),m(a,l,g),m(c,h,g),m(a,l,v),m(c,h,g),m(c,h,v)}}let r=new ge;return r.setAttribute("position",new qt(n,3)),r.setAttribute("normal",new qt(s,3)),r}function Mb(i,t){let e=new ge;e.setAttribute("position",new gi(t.array(i.corners),3)),e.setIndex(new gi(t.array(i.triangles),1));let n=e.toNonIndexed();return n.computeVertexNormals(),n}function Sb(i){let t=[];for(let[n,s]of i)if(n>0)for(let r=0;r<yo;r++)for(let o of[r,r+1]){let a=2*Math.PI*o/yo;t.push(n*Math.cos(a),n*Math.sin(a),s)}let e=new ge;return e.setAttribute("position",new qt(t,3)),e}function bb(i,t){switch(i.kind){case"turned":return[vb(i.profile,i.closed),Sb(i.profile.length>12?[]:i.profile)];case"box":{let e=new zi(...i.size);return[e,new oo(e)]}case"capsule":{let e=new ma(i.radius,i.length,12,yo);return e.rotateX(Math.PI/2).translate(0,0,i.length/2),[e,null]}case"mesh":{let e=Mb(i,t);return[e,new oo(e,25)]}default:return[new xi(i.radius||1,yo,32),null]}}var qf=new WeakMap;function ug(i,t){return qf.has(i)||qf.set(i,bb(i,t)),qf.get(i)}function fg(i=7){class t extends si{getPoint(n,s=new F){let r=2*Math.PI*i*n;return s.set(Math.cos(r),Math.sin(r),n)}}return new Ma(new t,i*24,.16,6)}var vr=["#0072b2","#d55e00","#009e73","#cc79a7","#e69f00","#56b4e9","#8a8a8a","#b0a000"],Mo="#d3222a",wb=12,Yf=([i,t,e,n])=>new We(t,e,n,i),vo=class{constructor(t,e=()=>{}){this.flight=t,this.group=new te,this.all=new Map,t.scene.bodies.forEach((n,s)=>this.all.set(n.name,this.make(n,e(n.name)??vr[s%vr.length]))),this.extent=Math.max(...t.scene.bodies.map(n=>n.extent),1e-6),this.smallest=Math.min(...t.scene.bodies.map(n=>n.extent),this.extent)}make(t,e){let n=new rs({color:e,roughness:.75,metalness:.05,side:vn}),s=new Bn({color:1053720,transparent:!0,opacity:.45}),r=new te;for(let h of t.shapes){let[u,f]=ug(h,this.flight.scene),d=new te;d.add(new _e(u,n)),f&&d.add(new is(f,s)),d.position.set(...h.at),h.turn&&d.quaternion.copy(Yf(h.turn)),r.add(d)}let o=new te;o.add(r),o.name=t.name,this.group.add(o);let a=new ii().setFromObject(r),l=a.getCenter(new F).toArray(),c=[];for(let h=0;h<8;h++)c.push([h&1?a.max.x:a.min.x,h&2?a.max.y:a.min.y,h&4?a.max.z:a.min.z]);return{body:t,outer:o,inner:r,surface:n,line:s,colour:e,corners:c,middle:l,shown:!0,red:!1}}place(t,e){for(let n of this.all.values()){let s=this.flight.drawing(n.body.name,e);if(n.present=!!s,n.outer.visible=n.present&&n.shown,!s)continue;let r=xo(t,s);n.outer.position.set(...r.p),n.outer.quaternion.copy(Yf(r.q))}}middle(t){let e=this.all.get(t);return new F(...e.middle).applyQuaternion(e.outer.quaternion).add(e.outer.position).toArray()}setRed(t){for(let e of this.all.values()){let n=t.has(e.body.name);n!==e.red&&e.surface.color.set(n?Mo:e.colour),e.red=n}}setTransparent(t){for(let{surface:e}of this.all.values())e.transparent=t,e.opacity=t?.35:1,e.depthWrite=!t,e.needsUpdate=!0}near(){let t=[...this.all.values()].filter(r=>r.outer.visible);if(!t.length)return[];let e=t.map(r=>({one:r,at:new F(...this.middle(r.body.name))})),n=e.reduce((r,o)=>o.at.length()<r.at.length()?o:r).at;return e.filter(({at:r})=>r.distanceTo(n)<wb*this.extent).flatMap(({one:{corners:r,outer:o}})=>r.map(a=>new F(...a).applyQuaternion(o.quaternion).add(o.position)))}},_h=class{constructor(t){this.bodies=t,this.group=new te,this.times=[]}show(t,e){this.times=t,this.group.clear();for(let n of t)for(let s of this.bodies.all.values()){let r=s.shown&&this.bodies.flight.drawing(s.body.name,n);if(!r)continue;let o=this.bodies.bend?.(s.body.name,n),a=s.inner.clone(),l=s.surface.clone();Object.assign(l,{transparent:!0,opacity:.3,depthWrite:!1}),l.color.set(s.colour),a.traverse(u=>{u.isMesh&&(u.material=l),o&&u.geometry&&(u.geometry=u.geometry.clone())});let c=new te,h=xo(e(n),r);c.position.set(...h.p),c.quaternion.copy(Yf(h.q)),c.add(a),this.group.add(c)}}};var Eb="uplot",Tb="u-hz",Ab="u-vt",Rb="u-title",Cb="u-wrap",Pb="u-under",Ib="u-over",Lb="u-axis",br="u-off",Db="u-select",Nb="u-cursor-x",Ub="u-cursor-y",Fb="u-cursor-pt",Ob="u-legend",Bb="u-live",kb="u-inline",zb="u-series",Hb="u-marker",dg="u-label",Gb="u-value",Ya="width",Za="height";var pg="bottom",So="left",Zf="right",ud="#000",mg=ud+"0",$f="mousemove",gg="mousedown",Jf="mouseup",_g="mouseenter",xg="mouseleave",yg="dblclick",Vb="resize",Wb="scroll",vg="change",Sh="dppxchange",fd="--",Co=typeof window<"u",ed=Co?document:null,wo=Co?window:null,Xb=Co?navigator:null,Pe,xh;function nd(){let i=devicePixelRatio;Pe!=i&&(Pe=i,xh&&sd(vg,xh,nd),xh=matchMedia(`(min-resolution: ${Pe-.001}dppx) and (max-resolution: ${Pe+.001}dppx)`),wr(vg,xh,nd),wo.dispatchEvent(new CustomEvent(Sh)))}function Mi(i,t){if(t!=null){let e=i.classList;!e.contains(t)&&e.add(t)}}function id(i,t){let e=i.classList;e.contains(t)&&e.remove(t)}function Ke(i,t,e){i.style[t]=e+"px"}function Xi(i,t,e,n){let s=ed.createElement(i);return t!=null&&Mi(s,t),e?.insertBefore(s,n),s}function Pi(i,t){return Xi("div",i,t)}var Mg=new WeakMap;function hs(i,t,e,n,s){let r="translate("+t+"px,"+e+"px)",o=Mg.get(i);r!=o&&(i.style.transform=r,Mg.set(i,r),t<0||e<0||t>n||e>s?Mi(i,br):id(i,br))}var Sg=new WeakMap;function bg(i,t,e){let n=t+e,s=Sg.get(i);n!=s&&(Sg.set(i,n),i.style.background=t,i.style.borderColor=e)}var wg=new WeakMap;function Eg(i,t,e,n){let s=t+""+e,r=wg.get(i);s!=r&&(wg.set(i,s),i.style.height=e+"px",i.style.width=t+"px",i.style.marginLeft=n?-t/2+"px":0,i.style.marginTop=n?-e/2+"px":0)}var dd={passive:!0},qb={...dd,capture:!0};function wr(i,t,e,n){t.addEventListener(i,e,n?qb:dd)}function sd(i,t,e,n){t.removeEventListener(i,e,dd)}Co&&nd();function qi(i,t,e,n){let s;e=e||0,n=n||t.length-1;let r=n<=2147483647;for(;n-e>1;)s=r?e+n>>1:Si((e+n)/2),t[s]<i?e=s:n=s;return i-t[e]<=t[n]-i?e:n}function Qg(i){return(e,n,s)=>{let r=-1,o=-1;for(let a=n;a<=s;a++)if(i(e[a])){r=a;break}for(let a=s;a>=n;a--)if(i(e[a])){o=a;break}return[r,o]}}var t0=i=>i!=null,e0=i=>i!=null&&i>0,Eh=Qg(t0),Yb=Qg(e0);function Zb(i,t,e,n=0,s=!1){let r=s?Yb:Eh,o=s?e0:t0;[t,e]=r(i,t,e);let a=i[t],l=i[t];if(t>-1)if(n==1)a=i[t],l=i[e];else if(n==-1)a=i[e],l=i[t];else for(let c=t;c<=e;c++){let h=i[c];o(h)&&(h<a?a=h:h>l&&(l=h))}return[a??He,l??-He]}function Th(i,t,e,n){let s=Rg(i),r=Rg(t);i==t&&(s==-1?(i*=e,t/=e):(i/=e,t*=e));let o=e==10?Ns:n0,a=s==1?Si:Ii,l=r==1?Ii:Si,c=a(o(Cn(i))),h=l(o(Cn(t))),u=Eo(e,c),f=Eo(e,h);return e==10&&(c<0&&(u=Ge(u,-c)),h<0&&(f=Ge(f,-h))),n||e==2?(i=u*s,t=f*r):(i=o0(i,u),t=Ah(t,f)),[i,t]}function pd(i,t,e,n){let s=Th(i,t,e,n);return i==0&&(s[0]=0),t==0&&(s[1]=0),s}var md=.1,Tg={mode:3,pad:md},Ja={pad:0,soft:null,mode:0},$b={min:Ja,max:Ja};function bh(i,t,e,n){return Rh(e)?Ag(i,t,e):(Ja.pad=e,Ja.soft=n?0:null,Ja.mode=n?3:0,Ag(i,t,$b))}function Re(i,t){return i??t}function Jb(i,t,e){for(t=Re(t,0),e=Re(e,i.length-1);t<=e;){if(i[t]!=null)return!0;t++}return!1}function Ag(i,t,e){let n=e.min,s=e.max,r=Re(n.pad,0),o=Re(s.pad,0),a=Re(n.hard,-He),l=Re(s.hard,He),c=Re(n.soft,He),h=Re(s.soft,-He),u=Re(n.mode,0),f=Re(s.mode,0),d=t-i,p=Ns(d),v=ei(Cn(i),Cn(t)),g=Ns(v),m=Cn(g-p);(d<1e-24||m>10)&&(d=0,(i==0||t==0)&&(d=1e-24,u==2&&c!=He&&(r=0),f==2&&h!=-He&&(o=0)));let _=d||v||1e3,b=Ns(_),M=Eo(10,Si(b)),R=_*(d==0?i==0?.1:1:r),T=Ge(o0(i-R,M/10),24),x=i>=c&&(u==1||u==3&&T<=c||u==2&&T>=c)?c:He,w=ei(a,T<x&&i>=x?x:Yi(x,T)),U=_*(d==0?t==0?.1:1:o),P=Ge(Ah(t+U,M/10),24),L=t<=h&&(f==1||f==3&&P>=h||f==2&&P<=h)?h:-He,k=Yi(l,P>L&&t<=L?L:ei(L,P));return w==k&&w==0&&(k=100),[w,k]}var Kb=new Intl.NumberFormat(Co?Xb.language:"en-US"),gd=i=>Kb.format(i),bi=Math,Mh=bi.PI,Cn=bi.abs,Si=bi.floor,Rn=bi.round,Ii=bi.ceil,Yi=bi.min,ei=bi.max,Eo=bi.pow,Rg=bi.sign,Ns=bi.log10,n0=bi.log2,jb=(i,t=1)=>bi.sinh(i)*t,Kf=(i,t=1)=>bi.asinh(i/t),He=1/0;function Cg(i){return(Ns((i^i>>31)-(i>>31))|0)+1}function rd(i,t,e){return Yi(ei(i,t),e)}function i0(i){return typeof i=="function"}function Se(i){return i0(i)?i:()=>i}var Qb=()=>{},s0=i=>i,r0=(i,t)=>t,tw=i=>null,Pg=i=>!0,Ig=(i,t)=>i==t,ew=/\.\d*?(?=9{6,}|0{6,})/gm,Er=i=>{if(l0(i)||ir.has(i))return i;let t=`${i}`,e=t.match(ew);if(e==null)return i;let n=e[0].length-1;if(t.indexOf("e-")!=-1){let[s,r]=t.split("e");return+`${Er(s)}e${r}`}return Ge(i,n)};function Mr(i,t){return Er(Ge(Er(i/t))*t)}function Ah(i,t){return Er(Ii(Er(i/t))*t)}function o0(i,t){return Er(Si(Er(i/t))*t)}function Ge(i,t=0){if(l0(i))return i;let e=10**t,n=i*e*(1+Number.EPSILON);return Rn(n)/e}var ir=new Map;function a0(i){return((""+i).split(".")[1]||"").length}function ja(i,t,e,n){let s=[],r=n.map(a0);for(let o=t;o<e;o++){let a=Cn(o),l=Ge(Eo(i,o),a);for(let c=0;c<n.length;c++){let h=i==10?+`${n[c]}e${o}`:n[c]*l,u=(o>=0?0:a)+(o>=r[c]?0:r[c]),f=i==10?h:Ge(h,u);s.push(f),ir.set(f,u)}}return s}var Ka={},_d=[],To=[null,null],nr=Array.isArray,l0=Number.isInteger,nw=i=>i===void 0;function Lg(i){return typeof i=="string"}function Rh(i){let t=!1;if(i!=null){let e=i.constructor;t=e==null||e==Object}return t}function iw(i){return i!=null&&typeof i=="object"}var sw=Object.getPrototypeOf(Uint8Array),c0="__proto__";function Ao(i,t=Rh){let e;if(nr(i)){let n=i.find(s=>s!=null);if(nr(n)||t(n)){e=Array(i.length);for(let s=0;s<i.length;s++)e[s]=Ao(i[s],t)}else e=i.slice()}else if(i instanceof sw)e=i.slice();else if(t(i)){e={};for(let n in i)n!=c0&&(e[n]=Ao(i[n],t))}else e=i;return e}function bn(i){let t=arguments;for(let e=1;e<t.length;e++){let n=t[e];for(let s in n)s!=c0&&(Rh(i[s])?bn(i[s],Ao(n[s])):i[s]=Ao(n[s]))}return i}var rw=0,ow=1,aw=2;function lw(i,t,e){for(let n=0,s,r=-1;n<t.length;n++){let o=t[n];if(o>r){for(s=o-1;s>=0&&i[s]==null;)i[s--]=null;for(s=o+1;s<e&&i[s]==null;)i[r=s++]=null}}}function cw(i,t){if(fw(i)){let o=i[0].slice();for(let a=1;a<i.length;a++)o.push(...i[a].slice(1));return dw(o[0])||(o=uw(o)),o}let e=new Set;for(let o=0;o<i.length;o++){let l=i[o][0],c=l.length;for(let h=0;h<c;h++)e.add(l[h])}let n=[Array.from(e).sort((o,a)=>o-a)],s=n[0].length,r=new Map;for(let o=0;o<s;o++)r.set(n[0][o],o);for(let o=0;o<i.length;o++){let a=i[o],l=a[0];for(let c=1;c<a.length;c++){let h=a[c],u=Array(s).fill(void 0),f=t?t[o][c]:ow,d=[];for(let p=0;p<h.length;p++){let v=h[p],g=r.get(l[p]);v===null?f!=rw&&(u[g]=v,f==aw&&d.push(g)):u[g]=v}lw(u,d,s),n.push(u)}}return n}var hw=typeof queueMicrotask>"u"?i=>Promise.resolve().then(i):queueMicrotask;function uw(i){let t=i[0],e=t.length,n=Array(e);for(let r=0;r<n.length;r++)n[r]=r;n.sort((r,o)=>t[r]-t[o]);let s=[];for(let r=0;r<i.length;r++){let o=i[r],a=Array(e);for(let l=0;l<e;l++)a[l]=o[n[l]];s.push(a)}return s}function fw(i){let t=i[0][0],e=t.length;for(let n=1;n<i.length;n++){let s=i[n][0];if(s.length!=e)return!1;if(s!=t){for(let r=0;r<e;r++)if(s[r]!=t[r])return!1}}return!0}function dw(i,t=100){let e=i.length;if(e<=1)return!0;let n=0,s=e-1;for(;n<=s&&i[n]==null;)n++;for(;s>=n&&i[s]==null;)s--;if(s<=n)return!0;let r=ei(1,Si((s-n+1)/t));for(let o=i[n],a=n+r;a<=s;a+=r){let l=i[a];if(l!=null){if(l<=o)return!1;o=l}}return!0}var h0=["January","February","March","April","May","June","July","August","September","October","November","December"],u0=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function f0(i){return i.slice(0,3)}var pw=u0.map(f0),mw=h0.map(f0),gw={MMMM:h0,MMM:mw,WWWW:u0,WWW:pw};function qa(i){return(i<10?"0":"")+i}function _w(i){return(i<10?"00":i<100?"0":"")+i}var xw={YYYY:i=>i.getFullYear(),YY:i=>(i.getFullYear()+"").slice(2),MMMM:(i,t)=>t.MMMM[i.getMonth()],MMM:(i,t)=>t.MMM[i.getMonth()],MM:i=>qa(i.getMonth()+1),M:i=>i.getMonth()+1,DD:i=>qa(i.getDate()),D:i=>i.getDate(),WWWW:(i,t)=>t.WWWW[i.getDay()],WWW:(i,t)=>t.WWW[i.getDay()],HH:i=>qa(i.getHours()),H:i=>i.getHours(),h:i=>{let t=i.getHours();return t==0?12:t>12?t-12:t},AA:i=>i.getHours()>=12?"PM":"AM",aa:i=>i.getHours()>=12?"pm":"am",a:i=>i.getHours()>=12?"p":"a",mm:i=>qa(i.getMinutes()),m:i=>i.getMinutes(),ss:i=>qa(i.getSeconds()),s:i=>i.getSeconds(),fff:i=>_w(i.getMilliseconds())};function xd(i,t){t=t||gw;let e=[],n=/\{([a-z]+)\}|[^{]+/gi,s;for(;s=n.exec(i);)e.push(s[0][0]=="{"?xw[s[1]]:s[0]);return r=>{let o="";for(let a=0;a<e.length;a++)o+=typeof e[a]=="string"?e[a]:e[a](r,t);return o}}var yw=new Intl.DateTimeFormat().resolvedOptions().timeZone;function vw(i,t){let e;return t=="UTC"||t=="Etc/UTC"?e=new Date(+i+i.getTimezoneOffset()*6e4):t==yw?e=i:(e=new Date(i.toLocaleString("en-US",{timeZone:t})),e.setMilliseconds(i.getMilliseconds())),e}var d0=i=>i%1==0,wh=[1,2,2.5,5],Mw=ja(10,-32,0,wh),p0=ja(10,0,32,wh),Sw=p0.filter(d0),Sr=Mw.concat(p0),yd=`
`,m0="{YYYY}",Dg=yd+m0,g0="{M}/{D}",$a=yd+g0,yh=$a+"/{YY}",_0="{aa}",bw="{h}:{mm}",bo=bw+_0,Ng=yd+bo,Ug=":{ss}",De=null;function x0(i){let t=i*1e3,e=t*60,n=e*60,s=n*24,r=s*30,o=s*365,l=(i==1?ja(10,0,3,wh).filter(d0):ja(10,-3,0,wh)).concat([t,t*5,t*10,t*15,t*30,e,e*5,e*10,e*15,e*30,n,n*2,n*3,n*4,n*6,n*8,n*12,s,s*2,s*3,s*4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,r,r*2,r*3,r*4,r*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),c=[[o,m0,De,De,De,De,De,De,1],[s*28,"{MMM}",Dg,De,De,De,De,De,1],[s,g0,Dg,De,De,De,De,De,1],[n,"{h}"+_0,yh,De,$a,De,De,De,1],[e,bo,yh,De,$a,De,De,De,1],[t,Ug,yh+" "+bo,De,$a+" "+bo,De,Ng,De,1],[i,Ug+".{fff}",yh+" "+bo,De,$a+" "+bo,De,Ng,De,1]];function h(u){return(f,d,p,v,g,m)=>{let _=[],b=g>=o,M=g>=r&&g<o,R=u(p),T=Ge(R*i,3),x=jf(R.getFullYear(),b?0:R.getMonth(),M||b?1:R.getDate()),w=Ge(x*i,3);if(M||b){let U=M?g/r:0,P=b?g/o:0,L=T==w?T:Ge(jf(x.getFullYear()+P,x.getMonth()+U,1)*i,3),k=new Date(Rn(L/i)),H=k.getFullYear(),N=k.getMonth();for(let W=0;L<=v;W++){let Y=jf(H+P*W,N+U*W,1),V=Y-u(Ge(Y*i,3));L=Ge((+Y+V)*i,3),L<=v&&_.push(L)}}else{let U=g>=s?s:g,P=Si(p)-Si(T),L=w+P+Ah(T-w,U);_.push(L);let k=u(L),H=k.getHours()+k.getMinutes()/e+k.getSeconds()/n,N=g/n,W=f.axes[d]._space,Y=m/W;for(;L=Ge(L+g,i==1?0:3),!(L>v);)if(N>1){let V=Si(Ge(H+N,6))%24,j=u(L).getHours()-V;j>1&&(j=-1),L-=j*n,H=(H+N)%24;let st=_[_.length-1];Ge((L-st)/g,3)*Y>=.7&&_.push(L)}else _.push(L)}return _}}return[l,c,h]}var[ww,Ew,Tw]=x0(1),[Aw,Rw,Cw]=x0(.001);ja(2,-53,53,[1]);function Fg(i,t){return i.map(e=>e.map((n,s)=>s==0||s==8||n==null?n:t(s==1||e[8]==0?n:e[1]+n)))}function Og(i,t){return(e,n,s,r,o)=>{let a=t.find(p=>o>=p[0])||t[t.length-1],l,c,h,u,f,d;return n.map(p=>{let v=i(p),g=v.getFullYear(),m=v.getMonth(),_=v.getDate(),b=v.getHours(),M=v.getMinutes(),R=v.getSeconds(),T=g!=l&&a[2]||m!=c&&a[3]||_!=h&&a[4]||b!=u&&a[5]||M!=f&&a[6]||R!=d&&a[7]||a[1];return l=g,c=m,h=_,u=b,f=M,d=R,T(v)})}}function Pw(i,t){let e=xd(t);return(n,s,r,o,a)=>s.map(l=>e(i(l)))}function jf(i,t,e){return new Date(i,t,e)}function Bg(i,t){return t(i)}var Iw="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function kg(i,t){return(e,n,s,r)=>r==null?fd:t(i(n))}function Lw(i,t){let e=i.series[t];return e.width?e.stroke(i,t):e.points.width?e.points.stroke(i,t):null}function Dw(i,t){return i.series[t].fill(i,t)}var Nw={show:!0,live:!0,isolate:!1,mount:Qb,markers:{show:!0,width:2,stroke:Lw,fill:Dw,dash:"solid"},idx:null,idxs:null,values:[]};function Uw(i,t){let e=i.cursor.points,n=Pi(),s=e.size(i,t);Ke(n,Ya,s),Ke(n,Za,s);let r=s/-2;Ke(n,"marginLeft",r),Ke(n,"marginTop",r);let o=e.width(i,t,s);return o&&Ke(n,"borderWidth",o),n}function Fw(i,t){let e=i.series[t].points;return e._fill||e._stroke}function Ow(i,t){let e=i.series[t].points;return e._stroke||e._fill}function Bw(i,t){return i.series[t].points.size}var Qf=[0,0];function kw(i,t,e){return Qf[0]=t,Qf[1]=e,Qf}function vh(i,t,e,n=!0){return s=>{s.button==0&&(!n||s.target==t)&&e(s)}}function td(i,t,e,n=!0){return s=>{(!n||s.target==t)&&e(s)}}var zw={show:!0,x:!0,y:!0,lock:!1,move:kw,points:{one:!1,show:Uw,size:Bw,width:0,stroke:Ow,fill:Fw},bind:{mousedown:vh,mouseup:vh,click:vh,dblclick:vh,mousemove:td,mouseleave:td,mouseenter:td},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(i,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(i,t,e,n,s)=>n-s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},y0={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},vd=bn({},y0,{filter:r0}),v0=bn({},vd,{size:10}),M0=bn({},y0,{show:!1}),Md='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',S0="bold "+Md,b0=1.5,zg={show:!0,scale:"x",stroke:ud,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:S0,side:2,grid:vd,ticks:v0,border:M0,font:Md,lineGap:b0,rotate:0},Hw="Value",Gw="Time",Hg={show:!0,scale:"x",auto:!1,sorted:1,min:He,max:-He,idxs:[]};function Vw(i,t,e,n,s){return t.map(r=>r==null?"":gd(r))}function Ww(i,t,e,n,s,r,o){let a=[],l=ir.get(s)||0;e=o?e:Ge(Ah(e,s),l);for(let c=e;c<=n;c=Ge(c+s,l))a.push(Object.is(c,-0)?0:c);return a}function od(i,t,e,n,s,r,o){let a=[],l=i.scales[i.axes[t].scale].log,c=l==10?Ns:n0,h=Si(c(e));s=Eo(l,h),l==10&&(s=Sr[qi(s,Sr)]);let u=e,f=s*l;l==10&&(f=Sr[qi(f,Sr)]);do a.push(u),u=u+s,l==10&&!ir.has(u)&&(u=Ge(u,ir.get(s))),u>=f&&(s=u,f=s*l,l==10&&(f=Sr[qi(f,Sr)]));while(u<=n);return a}function Xw(i,t,e,n,s,r,o){let l=i.scales[i.axes[t].scale].asinh,c=n>l?od(i,t,ei(l,e),n,s):[l],h=n>=0&&e<=0?[0]:[];return(e<-l?od(i,t,ei(l,-n),-e,s):[l]).reverse().map(f=>-f).concat(h,c)}var w0=/./,qw=/[12357]/,Yw=/[125]/,Gg=/1/,ad=(i,t,e,n)=>i.map((s,r)=>t==4&&s==0||r%n==0&&e.test(s.toExponential()[s<0?1:0])?s:null);function Zw(i,t,e,n,s){let r=i.axes[e],o=r.scale,a=i.scales[o],l=i.valToPos,c=r._space,h=l(10,o),u=l(9,o)-h>=c?w0:l(7,o)-h>=c?qw:l(5,o)-h>=c?Yw:Gg;if(u==Gg){let f=Cn(l(1,o)-h);if(f<c)return ad(t.slice().reverse(),a.distr,u,Ii(c/f)).reverse()}return ad(t,a.distr,u,1)}function $w(i,t,e,n,s){let r=i.axes[e],o=r.scale,a=r._space,l=i.valToPos,c=Cn(l(1,o)-l(2,o));return c<a?ad(t.slice().reverse(),3,w0,Ii(a/c)).reverse():t}function Jw(i,t,e,n){return n==null?fd:t==null?"":gd(t)}var Vg={show:!0,scale:"y",stroke:ud,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:S0,side:3,grid:vd,ticks:v0,border:M0,font:Md,lineGap:b0,rotate:0};function Kw(i,t){let e=3+(i||1)*2;return Ge(e*t,3)}function jw(i,t){let{scale:e,idxs:n}=i.series[0],s=i._data[0],r=i.valToPos(s[n[0]],e,!0),o=i.valToPos(s[n[1]],e,!0),a=Cn(o-r),l=i.series[t],c=a/(l.points.space*Pe);return n[1]-n[0]<=c}var Wg={scale:null,auto:!0,sorted:0,min:He,max:-He},E0=(i,t,e,n,s)=>s,Xg={show:!0,auto:!0,sorted:0,gaps:E0,alpha:1,facets:[bn({},Wg,{scale:"x"}),bn({},Wg,{scale:"y"})]},qg={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:E0,alpha:1,points:{show:jw,filter:null},values:null,min:He,max:-He,idxs:[],path:null,clip:null};function Qw(i,t,e,n,s){return e/10}var T0={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},tE=bn({},T0,{time:!1,ori:1}),Yg={};function A0(i,t){let e=Yg[i];return e||(e={key:i,plots:[],sub(n){e.plots.push(n)},unsub(n){e.plots=e.plots.filter(s=>s!=n)},pub(n,s,r,o,a,l,c){for(let h=0;h<e.plots.length;h++)e.plots[h]!=s&&e.plots[h].pub(n,s,r,o,a,l,c)}},i!=null&&(Yg[i]=e)),e}var Ro=1,ld=2;function Tr(i,t,e){let n=i.mode,s=i.series[t],r=n==2?i._data[t]:i._data,o=i.scales,a=i.bbox,l=r[0],c=n==2?r[1]:r[t],h=n==2?o[s.facets[0].scale]:o[i.series[0].scale],u=n==2?o[s.facets[1].scale]:o[s.scale],f=a.left,d=a.top,p=a.width,v=a.height,g=i.valToPosH,m=i.valToPosV;return h.ori==0?e(s,l,c,h,u,g,m,f,d,p,v,Ph,Po,Lh,C0,I0):e(s,l,c,h,u,m,g,d,f,v,p,Ih,Io,wd,P0,L0)}function Sd(i,t){let e=0,n=0,s=Re(i.bands,_d);for(let r=0;r<s.length;r++){let o=s[r];o.series[0]==t?e=o.dir:o.series[1]==t&&(o.dir==1?n|=1:n|=2)}return[e,n==1?-1:n==2?1:n==3?2:0]}function eE(i,t,e,n,s){let r=i.mode,o=i.series[t],a=r==2?o.facets[1].scale:o.scale,l=i.scales[a];return s==-1?l.min:s==1?l.max:l.distr==3?l.dir==1?l.min:l.max:0}function Us(i,t,e,n,s,r){return Tr(i,t,(o,a,l,c,h,u,f,d,p,v,g)=>{let m=o.pxRound,_=c.dir*(c.ori==0?1:-1),b=c.ori==0?Po:Io,M,R;_==1?(M=e,R=n):(M=n,R=e);let T=m(u(a[M],c,v,d)),x=m(f(l[M],h,g,p)),w=m(u(a[R],c,v,d)),U=m(f(r==1?h.max:h.min,h,g,p)),P=new Path2D(s);return b(P,w,U),b(P,T,U),b(P,T,x),P})}function Ch(i,t,e,n,s,r){let o=null;if(i.length>0){o=new Path2D;let a=t==0?Lh:wd,l=e;for(let u=0;u<i.length;u++){let f=i[u];if(f[1]>f[0]){let d=f[0]-l;d>0&&a(o,l,n,d,n+r),l=f[1]}}let c=e+s-l,h=10;c>0&&a(o,l,n-h/2,c,n+r+h)}return o}function nE(i,t,e){let n=i[i.length-1];n&&n[0]==t?n[1]=e:i.push([t,e])}function bd(i,t,e,n,s,r,o){let a=[],l=i.length;for(let c=s==1?e:n;c>=e&&c<=n;c+=s)if(t[c]===null){let u=c,f=c;if(s==1)for(;++c<=n&&t[c]===null;)f=c;else for(;--c>=e&&t[c]===null;)f=c;let d=r(i[u]),p=f==u?d:r(i[f]),v=u-s;d=o<=0&&v>=0&&v<l?r(i[v]):d;let m=f+s;p=o>=0&&m>=0&&m<l?r(i[m]):p,p>=d&&a.push([d,p])}return a}function Zg(i){return i==0?s0:i==1?Rn:t=>Mr(t,i)}function R0(i){let t=i==0?Ph:Ih,e=i==0?(s,r,o,a,l,c)=>{s.arcTo(r,o,a,l,c)}:(s,r,o,a,l,c)=>{s.arcTo(o,r,l,a,c)},n=i==0?(s,r,o,a,l)=>{s.rect(r,o,a,l)}:(s,r,o,a,l)=>{s.rect(o,r,l,a)};return(s,r,o,a,l,c=0,h=0)=>{c==0&&h==0?n(s,r,o,a,l):(c=Yi(c,a/2,l/2),h=Yi(h,a/2,l/2),t(s,r+c,o),e(s,r+a,o,r+a,o+l,c),e(s,r+a,o+l,r,o+l,h),e(s,r,o+l,r,o,h),e(s,r,o,r+a,o,c),s.closePath())}}var Ph=(i,t,e)=>{i.moveTo(t,e)},Ih=(i,t,e)=>{i.moveTo(e,t)},Po=(i,t,e)=>{i.lineTo(t,e)},Io=(i,t,e)=>{i.lineTo(e,t)},Lh=R0(0),wd=R0(1),C0=(i,t,e,n,s,r)=>{i.arc(t,e,n,s,r)},P0=(i,t,e,n,s,r)=>{i.arc(e,t,n,s,r)},I0=(i,t,e,n,s,r,o)=>{i.bezierCurveTo(t,e,n,s,r,o)},L0=(i,t,e,n,s,r,o)=>{i.bezierCurveTo(e,t,s,n,o,r)};function D0(i){return(t,e,n,s,r)=>Tr(t,e,(o,a,l,c,h,u,f,d,p,v,g)=>{let{pxRound:m,points:_}=o,b,M;c.ori==0?(b=Ph,M=C0):(b=Ih,M=P0);let R=Ge(_.width*Pe,3),T=(_.size-_.width)/2*Pe,x=Ge(T*2,3),w=new Path2D,U=new Path2D,{left:P,top:L,width:k,height:H}=t.bbox;Lh(U,P-x,L-x,k+x*2,H+x*2);let N=W=>{if(l[W]!=null){let Y=m(u(a[W],c,v,d)),V=m(f(l[W],h,g,p));b(w,Y+T,V),M(w,Y,V,T,0,Mh*2)}};if(r)r.forEach(N);else for(let W=n;W<=s;W++)N(W);return{stroke:R>0?w:null,fill:w,clip:U,flags:Ro|ld}})}function N0(i){return(t,e,n,s,r,o)=>{n!=s&&(r!=n&&o!=n&&i(t,e,n),r!=s&&o!=s&&i(t,e,s),i(t,e,o))}}var iE=N0(Po),sE=N0(Io);function U0(i){let t=Re(i?.alignGaps,0);return(e,n,s,r)=>Tr(e,n,(o,a,l,c,h,u,f,d,p,v,g)=>{[s,r]=Eh(l,s,r);let m=o.pxRound,_=H=>m(u(H,c,v,d)),b=H=>m(f(H,h,g,p)),M,R;c.ori==0?(M=Po,R=iE):(M=Io,R=sE);let T=c.dir*(c.ori==0?1:-1),x={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Ro},w=x.stroke,U=!1;if(r-s>=v*4){let H=ut=>e.posToVal(ut,c.key,!0),N=null,W=null,Y,V,ct,J=_(a[T==1?s:r]),j=_(a[s]),st=_(a[r]),ft=H(T==1?j+1:st-1);for(let ut=T==1?s:r;ut>=s&&ut<=r;ut+=T){let Q=a[ut],xt=(T==1?Q<ft:Q>ft)?J:_(Q),At=l[ut];xt==J?At!=null?(V=At,N==null?(M(w,xt,b(V)),Y=N=W=V):V<N?N=V:V>W&&(W=V)):At===null&&(U=!0):(N!=null&&R(w,J,b(N),b(W),b(Y),b(V)),At!=null?(V=At,M(w,xt,b(V)),N=W=Y=V):(N=W=null,At===null&&(U=!0)),J=xt,ft=H(J+T))}N!=null&&N!=W&&ct!=J&&R(w,J,b(N),b(W),b(Y),b(V))}else for(let H=T==1?s:r;H>=s&&H<=r;H+=T){let N=l[H];N===null?U=!0:N!=null&&M(w,_(a[H]),b(N))}let[L,k]=Sd(e,n);if(o.fill!=null||L!=0){let H=x.fill=new Path2D(w),N=o.fillTo(e,n,o.min,o.max,L),W=b(N),Y=_(a[s]),V=_(a[r]);T==-1&&([V,Y]=[Y,V]),M(H,V,W),M(H,Y,W)}if(!o.spanGaps){let H=[];U&&H.push(...bd(a,l,s,r,T,_,t)),x.gaps=H=o.gaps(e,n,s,r,H),x.clip=Ch(H,c.ori,d,p,v,g)}return k!=0&&(x.band=k==2?[Us(e,n,s,r,w,-1),Us(e,n,s,r,w,1)]:Us(e,n,s,r,w,k)),x})}function rE(i){let t=Re(i.align,1),e=Re(i.ascDesc,!1),n=Re(i.alignGaps,0),s=Re(i.extend,!1);return(r,o,a,l)=>Tr(r,o,(c,h,u,f,d,p,v,g,m,_,b)=>{[a,l]=Eh(u,a,l);let M=c.pxRound,{left:R,width:T}=r.bbox,x=j=>M(p(j,f,_,g)),w=j=>M(v(j,d,b,m)),U=f.ori==0?Po:Io,P={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Ro},L=P.stroke,k=f.dir*(f.ori==0?1:-1),H=w(u[k==1?a:l]),N=x(h[k==1?a:l]),W=N,Y=N;s&&t==-1&&(Y=R,U(L,Y,H)),U(L,N,H);for(let j=k==1?a:l;j>=a&&j<=l;j+=k){let st=u[j];if(st==null)continue;let ft=x(h[j]),ut=w(st);t==1?U(L,ft,H):U(L,W,ut),U(L,ft,ut),H=ut,W=ft}let V=W;s&&t==1&&(V=R+T,U(L,V,H));let[ct,J]=Sd(r,o);if(c.fill!=null||ct!=0){let j=P.fill=new Path2D(L),st=c.fillTo(r,o,c.min,c.max,ct),ft=w(st);U(j,V,ft),U(j,Y,ft)}if(!c.spanGaps){let j=[];j.push(...bd(h,u,a,l,k,x,n));let st=c.width*Pe/2,ft=e||t==1?st:-st,ut=e||t==-1?-st:st;j.forEach(Q=>{Q[0]+=ft,Q[1]+=ut}),P.gaps=j=c.gaps(r,o,a,l,j),P.clip=Ch(j,f.ori,g,m,_,b)}return J!=0&&(P.band=J==2?[Us(r,o,a,l,L,-1),Us(r,o,a,l,L,1)]:Us(r,o,a,l,L,J)),P})}function $g(i,t,e,n,s,r,o=He){if(i.length>1){let a=null;for(let l=0,c=1/0;l<i.length;l++)if(t[l]!==void 0){if(a!=null){let h=Cn(i[l]-i[a]);h<c&&(c=h,o=Cn(e(i[l],n,s,r)-e(i[a],n,s,r)))}a=l}}return o}function oE(i){i=i||Ka;let t=Re(i.size,[.6,He,1]),e=i.align||0,n=i.gap||0,s=i.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;let r=Se(s),o=1-t[0],a=Re(t[1],He),l=Re(t[2],1),c=Re(i.disp,Ka),h=Re(i.each,d=>{}),{fill:u,stroke:f}=c;return(d,p,v,g)=>Tr(d,p,(m,_,b,M,R,T,x,w,U,P,L)=>{let k=m.pxRound,H=e,N=n*Pe,W=a*Pe,Y=l*Pe,V,ct;M.ori==0?[V,ct]=r(d,p):[ct,V]=r(d,p);let J=M.dir*(M.ori==0?1:-1),j=M.ori==0?Lh:wd,st=M.ori==0?h:(Ct,$t,oe,bt,ke,Ht,Yt)=>{h(Ct,$t,oe,ke,bt,Yt,Ht)},ft=Re(d.bands,_d).find(Ct=>Ct.series[0]==p),ut=ft!=null?ft.dir:0,Q=m.fillTo(d,p,m.min,m.max,ut),mt=k(x(Q,R,L,U)),xt,At,St,Wt=P,re=k(m.width*Pe),Gt=!1,de=null,he=null,ie=null,je=null;u!=null&&(re==0||f!=null)&&(Gt=!0,de=u.values(d,p,v,g),he=new Map,new Set(de).forEach(Ct=>{Ct!=null&&he.set(Ct,new Path2D)}),re>0&&(ie=f.values(d,p,v,g),je=new Map,new Set(ie).forEach(Ct=>{Ct!=null&&je.set(Ct,new Path2D)})));let{x0:Ve,size:dn}=c;if(Ve!=null&&dn!=null){H=1,_=Ve.values(d,p,v,g),Ve.unit==2&&(_=_.map(oe=>d.posToVal(w+oe*P,M.key,!0)));let Ct=dn.values(d,p,v,g);dn.unit==2?At=Ct[0]*P:At=T(Ct[0],M,P,w)-T(0,M,P,w),Wt=$g(_,b,T,M,P,w,Wt),St=Wt-At+N}else Wt=$g(_,b,T,M,P,w,Wt),St=Wt*o+N,At=Wt-St;St<1&&(St=0),re>=At/2&&(re=0),St<5&&(k=s0);let Oe=St>0,In=Wt-St-(Oe?re:0);At=k(rd(In,Y,W)),xt=(H==0?At/2:H==J?0:At)-H*J*((H==0?N/2:0)+(Oe?re/2:0));let be={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},wn=Gt?null:new Path2D,sn=null;if(ft!=null)sn=d.data[ft.series[1]];else{let{y0:Ct,y1:$t}=c;Ct!=null&&$t!=null&&(b=$t.values(d,p,v,g),sn=Ct.values(d,p,v,g))}let pn=V*At,B=ct*At;for(let Ct=J==1?v:g;Ct>=v&&Ct<=g;Ct+=J){let $t=b[Ct];if($t==null)continue;if(sn!=null){let X=sn[Ct]??0;if($t-X==0)continue;mt=x(X,R,L,U)}let oe=M.distr!=2||c!=null?_[Ct]:Ct,bt=T(oe,M,P,w),ke=x(Re($t,Q),R,L,U),Ht=k(bt-xt),Yt=k(ei(ke,mt)),C=k(Yi(ke,mt)),S=Yt-C;if($t!=null){let X=$t<0?B:pn,ht=$t<0?pn:B;Gt?(re>0&&ie[Ct]!=null&&j(je.get(ie[Ct]),Ht,C+Si(re/2),At,ei(0,S-re),X,ht),de[Ct]!=null&&j(he.get(de[Ct]),Ht,C+Si(re/2),At,ei(0,S-re),X,ht)):j(wn,Ht,C+Si(re/2),At,ei(0,S-re),X,ht),st(d,p,Ct,Ht-re/2,C,At+re,S)}}return re>0?be.stroke=Gt?je:wn:Gt||(be._fill=m.width==0?m._fill:m._stroke??m._fill,be.width=0),be.fill=Gt?he:wn,be})}function aE(i,t){let e=Re(t?.alignGaps,0);return(n,s,r,o)=>Tr(n,s,(a,l,c,h,u,f,d,p,v,g,m)=>{[r,o]=Eh(c,r,o);let _=a.pxRound,b=V=>_(f(V,h,g,p)),M=V=>_(d(V,u,m,v)),R,T,x;h.ori==0?(R=Ph,x=Po,T=I0):(R=Ih,x=Io,T=L0);let w=h.dir*(h.ori==0?1:-1),U=b(l[w==1?r:o]),P=U,L=[],k=[];for(let V=w==1?r:o;V>=r&&V<=o;V+=w)if(c[V]!=null){let J=l[V],j=b(J);L.push(P=j),k.push(M(c[V]))}let H={stroke:i(L,k,R,x,T,_),fill:null,clip:null,band:null,gaps:null,flags:Ro},N=H.stroke,[W,Y]=Sd(n,s);if(a.fill!=null||W!=0){let V=H.fill=new Path2D(N),ct=a.fillTo(n,s,a.min,a.max,W),J=M(ct);x(V,P,J),x(V,U,J)}if(!a.spanGaps){let V=[];V.push(...bd(l,c,r,o,w,b,e)),H.gaps=V=a.gaps(n,s,r,o,V),H.clip=Ch(V,h.ori,p,v,g,m)}return Y!=0&&(H.band=Y==2?[Us(n,s,r,o,N,-1),Us(n,s,r,o,N,1)]:Us(n,s,r,o,N,Y)),H})}function lE(i){return aE(cE,i)}function cE(i,t,e,n,s,r){let o=i.length;if(o<2)return null;let a=new Path2D;if(e(a,i[0],t[0]),o==2)n(a,i[1],t[1]);else{let l=Array(o),c=Array(o-1),h=Array(o-1),u=Array(o-1);for(let f=0;f<o-1;f++)h[f]=t[f+1]-t[f],u[f]=i[f+1]-i[f],c[f]=h[f]/u[f];l[0]=c[0];for(let f=1;f<o-1;f++)c[f]===0||c[f-1]===0||c[f-1]>0!=c[f]>0?l[f]=0:(l[f]=3*(u[f-1]+u[f])/((2*u[f]+u[f-1])/c[f-1]+(u[f]+2*u[f-1])/c[f]),isFinite(l[f])||(l[f]=0));l[o-1]=c[o-2];for(let f=0;f<o-1;f++)s(a,i[f]+u[f]/3,t[f]+l[f]*u[f]/3,i[f+1]-u[f]/3,t[f+1]-l[f+1]*u[f]/3,i[f+1],t[f+1])}return a}var cd=new Set;function Jg(){for(let i of cd)i.syncRect(!0)}Co&&(wr(Vb,wo,Jg),wr(Wb,wo,Jg,!0),wr(Sh,wo,()=>{kn.pxRatio=Pe}));var hE=U0(),uE=D0();function Kg(i,t,e,n){return(n?[i[0],i[1]].concat(i.slice(2)):[i[0]].concat(i.slice(1))).map((r,o)=>hd(r,o,t,e))}function fE(i,t){return i.map((e,n)=>n==0?{}:bn({},t,e))}function hd(i,t,e,n){return bn({},t==0?e:n,i)}function F0(i,t,e){return t==null?To:[t,e]}var dE=F0;function pE(i,t,e){return t==null?To:bh(t,e,md,!0)}function O0(i,t,e,n){return t==null?To:Th(t,e,i.scales[n].log,!1)}var mE=O0;function B0(i,t,e,n){return t==null?To:pd(t,e,i.scales[n].log,!1)}var gE=B0;function _E(i,t,e,n,s){let r=ei(Cg(i),Cg(t)),o=t-i,a=qi(s/n*o,e);do{let l=e[a],c=n*l/o;if(c>=s&&r+(l<5?ir.get(l):0)<=17)return[l,c]}while(++a<e.length);return[0,0]}function jg(i){let t,e;return i=i.replace(/(\d+)px/,(n,s)=>(t=Rn((e=+s)*Pe))+"px"),[i,t,e]}function xE(i){i.show&&[i.font,i.labelFont].forEach(t=>{let e=Ge(t[2]*Pe,1);t[0]=t[0].replace(/[0-9.]+px/,e+"px"),t[1]=e})}function kn(i,t,e){let n={mode:Re(i.mode,1)},s=n.mode;function r(y,E,I,D){let G=E.valToPct(y);return D+I*(E.dir==-1?1-G:G)}function o(y,E,I,D){let G=E.valToPct(y);return D+I*(E.dir==-1?G:1-G)}function a(y,E,I,D){return E.ori==0?r(y,E,I,D):o(y,E,I,D)}n.valToPosH=r,n.valToPosV=o;let l=!1;n.status=0;let c=n.root=Pi(Eb);if(i.id!=null&&(c.id=i.id),Mi(c,i.class),i.title){let y=Pi(Rb,c);y.textContent=i.title}let h=Xi("canvas"),u=n.ctx=h.getContext("2d"),f=Pi(Cb,c);wr("click",f,y=>{y.target===p&&(Ye!=Dr||Qe!=Nr)&&zn.click(n,y)},!0);let d=n.under=Pi(Pb,f);f.appendChild(h);let p=n.over=Pi(Ib,f);i=Ao(i);let v=+Re(i.pxAlign,1),g=Zg(v);(i.plugins||[]).forEach(y=>{y.opts&&(i=y.opts(n,i)||i)});let m=i.ms||.001,_=n.series=s==1?Kg(i.series||[],Hg,qg,!1):fE(i.series||[null],Xg),b=n.axes=Kg(i.axes||[],zg,Vg,!0),M=n.scales={},R=n.bands=i.bands||[];R.forEach(y=>{y.fill=Se(y.fill||null),y.dir=Re(y.dir,-1)});let T=s==2?_[1].facets[0].scale:_[0].scale,x={axes:gs,series:me},w=(i.drawOrder||["axes","series"]).map(y=>x[y]);function U(y){let E=y.distr==3?I=>Ns(I>0?I:y.clamp(n,I,y.min,y.max,y.key)):y.distr==4?I=>Kf(I,y.asinh):y.distr==100?I=>y.fwd(I):I=>I;return I=>{let D=E(I),{_min:G,_max:$}=y,at=$-G;return(D-G)/at}}function P(y){let E=M[y];if(E==null){let I=(i.scales||Ka)[y]||Ka;if(I.from!=null){P(I.from);let D=bn({},M[I.from],I,{key:y});D.valToPct=U(D),M[y]=D}else{E=M[y]=bn({},y==T?T0:tE,I),E.key=y;let D=E.time,G=E.range,$=nr(G);if((y!=T||s==2&&!D)&&($&&(G[0]==null||G[1]==null)&&(G={min:G[0]==null?Tg:{mode:1,hard:G[0],soft:G[0]},max:G[1]==null?Tg:{mode:1,hard:G[1],soft:G[1]}},$=!1),!$&&Rh(G))){let at=G;G=(dt,vt,Nt)=>vt==null?To:bh(vt,Nt,at)}E.range=Se(G||(D?dE:y==T?E.distr==3?mE:E.distr==4?gE:F0:E.distr==3?O0:E.distr==4?B0:pE)),E.auto=Se($?!1:E.auto),E.clamp=Se(E.clamp||Qw),E._min=E._max=null,E.valToPct=U(E)}}}P("x"),P("y"),s==1&&_.forEach(y=>{P(y.scale)}),b.forEach(y=>{P(y.scale)});for(let y in i.scales)P(y);let L=M[T],k=L.distr,H,N;L.ori==0?(Mi(c,Tb),H=r,N=o):(Mi(c,Ab),H=o,N=r);let W={};for(let y in M){let E=M[y];(E.min!=null||E.max!=null)&&(W[y]={min:E.min,max:E.max},E.min=E.max=null)}let Y=i.tzDate||(y=>new Date(Rn(y/m))),V=i.fmtDate||xd,ct=m==1?Tw(Y):Cw(Y),J=Og(Y,Fg(m==1?Ew:Rw,V)),j=kg(Y,Bg(Iw,V)),st=[],ft=n.legend=bn({},Nw,i.legend),ut=n.cursor=bn({},zw,{drag:{y:s==2}},i.cursor),Q=ft.show,mt=ut.show,xt=ft.markers;ft.idxs=st,xt.width=Se(xt.width),xt.dash=Se(xt.dash),xt.stroke=Se(xt.stroke),xt.fill=Se(xt.fill);let At,St,Wt,re=[],Gt=[],de,he=!1,ie={};if(ft.live){let y=_[1]?_[1].values:null;he=y!=null,de=he?y(n,1,0):{_:0};for(let E in de)ie[E]=fd}if(Q)if(At=Xi("table",Ob,c),Wt=Xi("tbody",null,At),ft.mount(n,At),he){St=Xi("thead",null,At,Wt);let y=Xi("tr",null,St);Xi("th",null,y);for(var je in de)Xi("th",dg,y).textContent=je}else Mi(At,kb),ft.live&&Mi(At,Bb);let Ve={show:!0},dn={show:!1};function Oe(y,E){if(E==0&&(he||!ft.live||s==2))return To;let I=[],D=Xi("tr",zb,Wt,Wt.childNodes[E]);Mi(D,y.class),y.show||Mi(D,br);let G=Xi("th",null,D);if(xt.show){let dt=Pi(Hb,G);if(E>0){let vt=xt.width(n,E);vt&&(dt.style.border=vt+"px "+xt.dash(n,E)+" "+xt.stroke(n,E)),dt.style.background=xt.fill(n,E)}}let $=Pi(dg,G);y.label instanceof HTMLElement?$.appendChild(y.label):$.textContent=y.label,E>0&&(xt.show||($.style.color=y.width>0?xt.stroke(n,E):xt.fill(n,E)),be("click",G,dt=>{if(ut._lock)return;Kt(dt);let vt=_.indexOf(y);if((dt.ctrlKey||dt.metaKey)!=ft.isolate){let Nt=_.some((Ut,Ot)=>Ot>0&&Ot!=vt&&Ut.show);_.forEach((Ut,Ot)=>{Ot>0&&Ki(Ot,Nt?Ot==vt?Ve:dn:Ve,!0,xn.setSeries)})}else Ki(vt,{show:!y.show},!0,xn.setSeries)},!1),jt&&be(_g,G,dt=>{ut._lock||(Kt(dt),Ki(_.indexOf(y),Fr,!0,xn.setSeries))},!1));for(var at in de){let dt=Xi("td",Gb,D);dt.textContent="--",I.push(dt)}return[D,I]}let In=new Map;function be(y,E,I,D=!0){let G=In.get(E)||{},$=ut.bind[y](n,E,I,D);$&&(wr(y,E,G[y]=$),In.set(E,G))}function wn(y,E,I){let D=In.get(E)||{};for(let G in D)(y==null||G==y)&&(sd(G,E,D[G]),delete D[G]);y==null&&In.delete(E)}let sn=0,pn=0,B=0,Ct=0,$t=0,oe=0,bt=$t,ke=oe,Ht=B,Yt=Ct,C=0,S=0,X=0,ht=0;n.bbox={};let ot=!1,_t=!1,yt=!1,et=!1,it=!1,pt=!1;function O(y,E,I){(I||y!=n.width||E!=n.height)&&rt(y,E),ue(!1),yt=!0,_t=!0,Gn()}function rt(y,E){n.width=sn=B=y,n.height=pn=Ct=E,$t=oe=0,Mt(),Vt();let I=n.bbox;C=I.left=Mr($t*Pe,.5),S=I.top=Mr(oe*Pe,.5),X=I.width=Mr(B*Pe,.5),ht=I.height=Mr(Ct*Pe,.5)}let nt=3;function wt(){let y=!1,E=0;for(;!y;){E++;let I=Pr(E),D=Ji(E);y=E==nt||I&&D,y||(rt(n.width,n.height),_t=!0)}}function gt({width:y,height:E}){O(y,E)}n.setSize=gt;function Mt(){let y=!1,E=!1,I=!1,D=!1;b.forEach((G,$)=>{if(G.show&&G._show){let{side:at,_size:dt}=G,vt=at%2,Nt=G.label!=null?G.labelSize:0,Ut=dt+Nt;Ut>0&&(vt?(B-=Ut,at==3?($t+=Ut,D=!0):I=!0):(Ct-=Ut,at==0?(oe+=Ut,y=!0):E=!0))}}),Zi[0]=y,Zi[1]=I,Zi[2]=E,Zi[3]=D,B-=Di[1]+Di[3],$t+=Di[3],Ct-=Di[2]+Di[0],oe+=Di[0]}function Vt(){let y=$t+B,E=oe+Ct,I=$t,D=oe;function G($,at){switch($){case 1:return y+=at,y-at;case 2:return E+=at,E-at;case 3:return I-=at,I+at;case 0:return D-=at,D+at}}b.forEach(($,at)=>{if($.show&&$._show){let dt=$.side;$._pos=G(dt,$._size),$.label!=null&&($._lpos=G(dt,$.labelSize))}})}if(ut.dataIdx==null){let y=ut.hover,E=y.skip=new Set(y.skip??[]);E.add(void 0);let I=y.prox=Se(y.prox),D=y.bias??(y.bias=0);ut.dataIdx=(G,$,at,dt)=>{if($==0)return at;let vt=at,Nt=I(G,$,at,dt)??He,Ut=Nt>=0&&Nt<He,Ot=L.ori==0?B:Ct,se=ut.left,Ce=t[0],Te=t[$];if(E.has(Te[at])){vt=null;let xe=null,Jt=null,Xt;if(D==0||D==-1)for(Xt=at;xe==null&&Xt-- >0;)E.has(Te[Xt])||(xe=Xt);if(D==0||D==1)for(Xt=at;Jt==null&&Xt++<Te.length;)E.has(Te[Xt])||(Jt=Xt);if(xe!=null||Jt!=null)if(Ut){let $e=xe==null?-1/0:H(Ce[xe],L,Ot,0),an=Jt==null?1/0:H(Ce[Jt],L,Ot,0),Un=se-$e,Be=an-se;Un<=Be?Un<=Nt&&(vt=xe):Be<=Nt&&(vt=Jt)}else vt=Jt==null?xe:xe==null?Jt:at-xe<=Jt-at?xe:Jt}else Ut&&Cn(se-H(Ce[at],L,Ot,0))>Nt&&(vt=null);return vt}}let Kt=y=>{ut.event=y};ut.idxs=st,ut._lock=!1;let lt=ut.points;lt.show=Se(lt.show),lt.size=Se(lt.size),lt.stroke=Se(lt.stroke),lt.width=Se(lt.width),lt.fill=Se(lt.fill);let Bt=n.focus=bn({},i.focus||{alpha:.3},ut.focus),jt=Bt.prox>=0,Rt=jt&&lt.one,le=[],qe=[],qn=[];function Ho(y,E){let I=lt.show(n,E);if(I instanceof HTMLElement)return Mi(I,Fb),Mi(I,y.class),hs(I,-10,-10,B,Ct),p.insertBefore(I,le[E]),I}function Ar(y,E){if(s==1||E>0){let I=s==1&&M[y.scale].time,D=y.value;y.value=I?Lg(D)?kg(Y,Bg(D,V)):D||j:D||Jw,y.label=y.label||(I?Gw:Hw)}if(Rt||E>0){y.width=y.width==null?1:y.width,y.paths=y.paths||hE||tw,y.fillTo=Se(y.fillTo||eE),y.pxAlign=+Re(y.pxAlign,v),y.pxRound=Zg(y.pxAlign),y.stroke=Se(y.stroke||null),y.fill=Se(y.fill||null),y._stroke=y._fill=y._paths=y._focus=null;let I=Kw(ei(1,y.width),1),D=y.points=bn({},{size:I,width:ei(1,I*.2),stroke:y.stroke,space:I*2,paths:uE,_stroke:null,_fill:null},y.points);D.show=Se(D.show),D.filter=Se(D.filter),D.fill=Se(D.fill),D.stroke=Se(D.stroke),D.paths=Se(D.paths),D.pxAlign=y.pxAlign}if(Q){let I=Oe(y,E);re.splice(E,0,I[0]),Gt.splice(E,0,I[1]),ft.values.push(null)}if(mt){st.splice(E,0,null);let I=null;Rt?E==0&&(I=Ho(y,E)):E>0&&(I=Ho(y,E)),le.splice(E,0,I),qe.splice(E,0,0),qn.splice(E,0,0)}Nn("addSeries",E)}function eu(y,E){E=E??_.length,y=s==1?hd(y,E,Hg,qg):hd(y,E,{},Xg),_.splice(E,0,y),Ar(_[E],E)}n.addSeries=eu;function el(y){if(_.splice(y,1),Q){ft.values.splice(y,1),Gt.splice(y,1);let E=re.splice(y,1)[0];wn(null,E.firstChild),E.remove()}mt&&(st.splice(y,1),le.splice(y,1)[0].remove(),qe.splice(y,1),qn.splice(y,1)),Nn("delSeries",y)}n.delSeries=el;let Zi=[!1,!1,!1,!1];function ds(y,E){if(y._show=y.show,y.show){let I=y.side%2,D=M[y.scale];D==null&&(y.scale=I?_[1].scale:T,D=M[y.scale]);let G=D.time;y.size=Se(y.size),y.space=Se(y.space),y.rotate=Se(y.rotate),nr(y.incrs)&&y.incrs.forEach(at=>{!ir.has(at)&&ir.set(at,a0(at))}),y.incrs=Se(y.incrs||(D.distr==2?Sw:G?m==1?ww:Aw:Sr)),y.splits=Se(y.splits||(G&&D.distr==1?ct:D.distr==3?od:D.distr==4?Xw:Ww)),y.stroke=Se(y.stroke),y.grid.stroke=Se(y.grid.stroke),y.ticks.stroke=Se(y.ticks.stroke),y.border.stroke=Se(y.border.stroke);let $=y.values;y.values=nr($)&&!nr($[0])?Se($):G?nr($)?Og(Y,Fg($,V)):Lg($)?Pw(Y,$):$||J:$||Vw,y.filter=Se(y.filter||(D.distr>=3&&D.log==10?Zw:D.distr==3&&D.log==2?$w:r0)),y.font=jg(y.font),y.labelFont=jg(y.labelFont),y._size=y.size(n,null,E,0),y._space=y._rotate=y._incrs=y._found=y._splits=y._values=null,y._size>0&&(Zi[E]=!0,y._el=Pi(Lb,f))}}function ps(y,E,I,D){let[G,$,at,dt]=I,vt=E%2,Nt=0;return vt==0&&(dt||$)&&(Nt=E==0&&!G||E==2&&!at?Rn(zg.size/3):0),vt==1&&(G||at)&&(Nt=E==1&&!$||E==3&&!dt?Rn(Vg.size/2):0),Nt}let Go=n.padding=(i.padding||[ps,ps,ps,ps]).map(y=>Se(Re(y,ps))),Di=n._padding=Go.map((y,E)=>y(n,E,Zi,0)),rn,un=null,fn=null,$i=s==1?_[0].idxs:null,li=null,Fs=!1;function Vo(y,E){if(t=y??[],n.data=n._data=t,s==2){rn=0;for(let I=1;I<_.length;I++)rn+=t[I][0].length}else{t.length==0&&(n.data=n._data=t=[[]]),li=t[0],rn=li.length;let I=t;if(k==2){I=t.slice();let D=I[0]=Array(rn);for(let G=0;G<rn;G++)D[G]=G}n._data=t=I}if(ue(!0),Nn("setData"),k==2&&(yt=!0),E!==!1){let I=L;I.auto(n,Fs)?Wo():ks(T,I.min,I.max),et=et||ut.left>=0,pt=!0,Gn()}}n.setData=Vo;function Wo(){Fs=!0;let y,E;s==1&&(rn>0?(un=$i[0]=0,fn=$i[1]=rn-1,y=t[0][un],E=t[0][fn],k==2?(y=un,E=fn):y==E&&(k==3?[y,E]=Th(y,y,L.log,!1):k==4?[y,E]=pd(y,y,L.log,!1):L.time?E=y+Rn(86400/m):[y,E]=bh(y,E,md,!0))):(un=$i[0]=y=null,fn=$i[1]=E=null)),ks(T,y,E)}let Rr,Os,Cr,A,z,K,q,Z,Et,Pt;function Tt(y,E,I,D,G,$){y??(y=mg),I??(I=_d),D??(D="butt"),G??(G=mg),$??($="round"),y!=Rr&&(u.strokeStyle=Rr=y),G!=Os&&(u.fillStyle=Os=G),E!=Cr&&(u.lineWidth=Cr=E),$!=z&&(u.lineJoin=z=$),D!=K&&(u.lineCap=K=D),I!=A&&u.setLineDash(A=I)}function Lt(y,E,I,D){E!=Os&&(u.fillStyle=Os=E),y!=q&&(u.font=q=y),I!=Z&&(u.textAlign=Z=I),D!=Et&&(u.textBaseline=Et=D)}function zt(y,E,I,D,G=0){if(D.length>0&&y.auto(n,Fs)&&(E==null||E.min==null)){let $=Re(un,0),at=Re(fn,D.length-1),dt=I.min==null?Zb(D,$,at,G,y.distr==3):[I.min,I.max];y.min=Yi(y.min,I.min=dt[0]),y.max=ei(y.max,I.max=dt[1])}}let ne={min:null,max:null};function pe(){for(let D in M){let G=M[D];W[D]==null&&(G.min==null||W[T]!=null&&G.auto(n,Fs))&&(W[D]=ne)}for(let D in M){let G=M[D];W[D]==null&&G.from!=null&&W[G.from]!=null&&(W[D]=ne)}W[T]!=null&&ue(!0);let y={};for(let D in W){let G=W[D];if(G!=null){let $=y[D]=Ao(M[D],iw);if(G.min!=null)bn($,G);else if(D!=T||s==2)if(rn==0&&$.from==null){let at=$.range(n,null,null,D);$.min=at[0],$.max=at[1]}else $.min=He,$.max=-He}}if(rn>0){_.forEach((D,G)=>{if(s==1){let $=D.scale,at=W[$];if(at==null)return;let dt=y[$];if(G==0){let vt=dt.range(n,dt.min,dt.max,$);dt.min=vt[0],dt.max=vt[1],un=qi(dt.min,t[0]),fn=qi(dt.max,t[0]),fn-un>1&&(t[0][un]<dt.min&&un++,t[0][fn]>dt.max&&fn--),D.min=li[un],D.max=li[fn]}else D.show&&D.auto&&zt(dt,at,D,t[G],D.sorted);D.idxs[0]=un,D.idxs[1]=fn}else if(G>0&&D.show&&D.auto){let[$,at]=D.facets,dt=$.scale,vt=at.scale,[Nt,Ut]=t[G],Ot=y[dt],se=y[vt];Ot!=null&&zt(Ot,W[dt],$,Nt,$.sorted),se!=null&&zt(se,W[vt],at,Ut,at.sorted),D.min=at.min,D.max=at.max}});for(let D in y){let G=y[D],$=W[D];if(G.from==null&&($==null||$.min==null)){let at=G.range(n,G.min==He?null:G.min,G.max==-He?null:G.max,D);G.min=at[0],G.max=at[1]}}}for(let D in y){let G=y[D];if(G.from!=null){let $=y[G.from];if($.min==null)G.min=G.max=null;else{let at=G.range(n,$.min,$.max,D);G.min=at[0],G.max=at[1]}}}let E={},I=!1;for(let D in y){let G=y[D],$=M[D];if($.min!=G.min||$.max!=G.max){$.min=G.min,$.max=G.max;let at=$.distr;$._min=at==3?Ns($.min):at==4?Kf($.min,$.asinh):at==100?$.fwd($.min):$.min,$._max=at==3?Ns($.max):at==4?Kf($.max,$.asinh):at==100?$.fwd($.max):$.max,E[D]=I=!0}}if(I){_.forEach((D,G)=>{s==2?G>0&&E.y&&(D._paths=null):E[D.scale]&&(D._paths=null)});for(let D in E)yt=!0,Nn("setScale",D);mt&&ut.left>=0&&(et=pt=!0)}for(let D in W)W[D]=null}function kt(y){let E=rd(un-1,0,rn-1),I=rd(fn+1,0,rn-1);for(;y[E]==null&&E>0;)E--;for(;y[I]==null&&I<rn-1;)I++;return[E,I]}function me(){if(rn>0){let y=_.some(E=>E._focus)&&Pt!=Bt.alpha;y&&(u.globalAlpha=Pt=Bt.alpha),_.forEach((E,I)=>{if(I>0&&E.show&&(nn(I,!1),nn(I,!0),E._paths==null)){let D=Pt;Pt!=E.alpha&&(u.globalAlpha=Pt=E.alpha);let G=s==2?[0,t[I][0].length-1]:kt(t[I]);E._paths=E.paths(n,I,G[0],G[1]),Pt!=D&&(u.globalAlpha=Pt=D)}}),_.forEach((E,I)=>{if(I>0&&E.show){let D=Pt;Pt!=E.alpha&&(u.globalAlpha=Pt=E.alpha),E._paths!=null&&Ne(I,!1);{let G=E._paths!=null?E._paths.gaps:null,$=E.points.show(n,I,un,fn,G),at=E.points.filter(n,I,$,G);($||at)&&(E.points._paths=E.points.paths(n,I,un,fn,at),Ne(I,!0))}Pt!=D&&(u.globalAlpha=Pt=D),Nn("drawSeries",I)}}),y&&(u.globalAlpha=Pt=1)}}function nn(y,E){let I=E?_[y].points:_[y];I._stroke=I.stroke(n,y),I._fill=I.fill(n,y)}function Ne(y,E){let I=E?_[y].points:_[y],{stroke:D,fill:G,clip:$,flags:at,_stroke:dt=I._stroke,_fill:vt=I._fill,_width:Nt=I.width}=I._paths;Nt=Ge(Nt*Pe,3);let Ut=null,Ot=Nt%2/2;E&&vt==null&&(vt=Nt>0?"#fff":dt);let se=I.pxAlign==1&&Ot>0;if(se&&u.translate(Ot,Ot),!E){let Ce=C-Nt/2,Te=S-Nt/2,xe=X+Nt,Jt=ht+Nt;Ut=new Path2D,Ut.rect(Ce,Te,xe,Jt)}E?Ft(dt,Nt,I.dash,I.cap,vt,D,G,at,$):Ue(y,dt,Nt,I.dash,I.cap,vt,D,G,at,Ut,$),se&&u.translate(-Ot,-Ot)}function Ue(y,E,I,D,G,$,at,dt,vt,Nt,Ut){let Ot=!1;vt!=0&&R.forEach((se,Ce)=>{if(se.series[0]==y){let Te=_[se.series[1]],xe=t[se.series[1]],Jt=(Te._paths||Ka).band;nr(Jt)&&(Jt=se.dir==1?Jt[0]:Jt[1]);let Xt,$e=null;Te.show&&Jt&&Jb(xe,un,fn)?($e=se.fill(n,Ce)||$,Xt=Te._paths.clip):Jt=null,Ft(E,I,D,G,$e,at,dt,vt,Nt,Ut,Xt,Jt),Ot=!0}}),Ot||Ft(E,I,D,G,$,at,dt,vt,Nt,Ut)}let En=Ro|ld;function Ft(y,E,I,D,G,$,at,dt,vt,Nt,Ut,Ot){Tt(y,E,I,D,G),(vt||Nt||Ot)&&(u.save(),vt&&u.clip(vt),Nt&&u.clip(Nt)),Ot?(dt&En)==En?(u.clip(Ot),Ut&&u.clip(Ut),ye(G,at),mn(y,$,E)):dt&ld?(ye(G,at),u.clip(Ot),mn(y,$,E)):dt&Ro&&(u.save(),u.clip(Ot),Ut&&u.clip(Ut),ye(G,at),u.restore(),mn(y,$,E)):(ye(G,at),mn(y,$,E)),(vt||Nt||Ot)&&u.restore()}function mn(y,E,I){I>0&&(E instanceof Map?E.forEach((D,G)=>{u.strokeStyle=Rr=G,u.stroke(D)}):E!=null&&y&&u.stroke(E))}function ye(y,E){E instanceof Map?E.forEach((I,D)=>{u.fillStyle=Os=D,u.fill(I)}):E!=null&&y&&u.fill(E)}function ms(y,E,I,D){let G=b[y],$;if(D<=0)$=[0,0];else{let at=G._space=G.space(n,y,E,I,D),dt=G._incrs=G.incrs(n,y,E,I,D,at);$=_E(E,I,dt,D,at)}return G._found=$}function gn(y,E,I,D,G,$,at,dt,vt,Nt){let Ut=at%2/2;v==1&&u.translate(Ut,Ut),Tt(dt,at,vt,Nt,dt),u.beginPath();let Ot,se,Ce,Te,xe=G+(D==0||D==3?-$:$);I==0?(se=G,Te=xe):(Ot=G,Ce=xe);for(let Jt=0;Jt<y.length;Jt++)E[Jt]!=null&&(I==0?Ot=Ce=y[Jt]:se=Te=y[Jt],u.moveTo(Ot,se),u.lineTo(Ce,Te));u.stroke(),v==1&&u.translate(-Ut,-Ut)}function Pr(y){let E=!0;return b.forEach((I,D)=>{if(!I.show)return;let G=M[I.scale];if(G.min==null){I._show&&(E=!1,I._show=!1,ue(!1));return}else I._show||(E=!1,I._show=!0,ue(!1));let $=I.side,at=$%2,{min:dt,max:vt}=G,[Nt,Ut]=ms(D,dt,vt,at==0?B:Ct);if(Ut==0)return;let Ot=G.distr==2,se=I._splits=I.splits(n,D,dt,vt,Nt,Ut,Ot),Ce=G.distr==2?se.map(Xt=>li[Xt]):se,Te=G.distr==2?li[se[1]]-li[se[0]]:Nt,xe=I._values=I.values(n,I.filter(n,Ce,D,Ut,Te),D,Ut,Te);I._rotate=$==2?I.rotate(n,xe,D,Ut):0;let Jt=I._size;I._size=Ii(I.size(n,xe,D,y)),Jt!=null&&I._size!=Jt&&(E=!1)}),E}function Ji(y){let E=!0;return Go.forEach((I,D)=>{let G=I(n,D,Zi,y);G!=Di[D]&&(E=!1),Di[D]=G}),E}function gs(){for(let y=0;y<b.length;y++){let E=b[y];if(!E.show||!E._show)continue;let I=E.side,D=I%2,G,$,at=E.stroke(n,y),dt=I==0||I==3?-1:1,[vt,Nt]=E._found;if(E.label!=null){let $n=E.labelGap*dt,ui=Rn((E._lpos+$n)*Pe);Lt(E.labelFont[0],at,"center",I==2?"top":pg),u.save(),D==1?(G=$=0,u.translate(ui,Rn(S+ht/2)),u.rotate((I==3?-Mh:Mh)/2)):(G=Rn(C+X/2),$=ui);let ar=i0(E.label)?E.label(n,y,vt,Nt):E.label;u.fillText(ar,G,$),u.restore()}if(Nt==0)continue;let Ut=M[E.scale],Ot=D==0?X:ht,se=D==0?C:S,Ce=E._splits,Te=Ut.distr==2?Ce.map($n=>li[$n]):Ce,xe=Ut.distr==2?li[Ce[1]]-li[Ce[0]]:vt,Jt=E.ticks,Xt=E.border,$e=Jt.show?Jt.size:0,an=Rn($e*Pe),Un=Rn((E.alignTo==2?E._size-$e-E.gap:E.gap)*Pe),Be=E._rotate*-Mh/180,ln=g(E._pos*Pe),ci=(an+Un)*dt,Zn=ln+ci;$=D==0?Zn:0,G=D==1?Zn:0;let wi=E.font[0],Ni=E.align==1?So:E.align==2?Zf:Be>0?So:Be<0?Zf:D==0?"center":I==3?Zf:So,Qi=Be||D==1?"middle":I==2?"top":pg;Lt(wi,at,Ni,Qi);let hi=E.font[1]*E.lineGap,Ei=Ce.map($n=>g(a($n,Ut,Ot,se))),Ui=E._values;for(let $n=0;$n<Ui.length;$n++){let ui=Ui[$n];if(ui!=null){D==0?G=Ei[$n]:$=Ei[$n],ui=""+ui;let ar=ui.indexOf(`
`)==-1?[ui]:ui.split(/\n/gm);for(let Jn=0;Jn<ar.length;Jn++){let tp=ar[Jn];Be?(u.save(),u.translate(G,$+Jn*hi),u.rotate(Be),u.fillText(tp,0,0),u.restore()):u.fillText(tp,G,$+Jn*hi)}}}Jt.show&&gn(Ei,Jt.filter(n,Te,y,Nt,xe),D,I,ln,an,Ge(Jt.width*Pe,3),Jt.stroke(n,y),Jt.dash,Jt.cap);let ts=E.grid;ts.show&&gn(Ei,ts.filter(n,Te,y,Nt,xe),D,D==0?2:1,D==0?S:C,D==0?ht:X,Ge(ts.width*Pe,3),ts.stroke(n,y),ts.dash,ts.cap),Xt.show&&gn([ln],[1],D==0?1:0,D==0?1:2,D==1?S:C,D==1?ht:X,Ge(Xt.width*Pe,3),Xt.stroke(n,y),Xt.dash,Xt.cap)}Nn("drawAxes")}function ue(y){_.forEach((E,I)=>{I>0&&(E._paths=null,y&&(s==1?(E.min=null,E.max=null):E.facets.forEach(D=>{D.min=null,D.max=null})))})}let on=!1,Yn=!1,Fe=[];function _n(){Yn=!1;for(let y=0;y<Fe.length;y++)Nn(...Fe[y]);Fe.length=0}function Gn(){on||(hw(Fd),on=!0)}function nl(y,E=!1){on=!0,Yn=E,y(n),Fd(),E&&Fe.length>0&&queueMicrotask(_n)}n.batch=nl;function Fd(){if(ot&&(pe(),ot=!1),yt&&(wt(),yt=!1),_t){if(Ke(d,So,$t),Ke(d,"top",oe),Ke(d,Ya,B),Ke(d,Za,Ct),Ke(p,So,$t),Ke(p,"top",oe),Ke(p,Ya,B),Ke(p,Za,Ct),Ke(f,Ya,sn),Ke(f,Za,pn),h.width=Rn(sn*Pe),h.height=Rn(pn*Pe),b.forEach(({_el:y,_show:E,_size:I,_pos:D,side:G})=>{if(y!=null)if(E){let $=G===3||G===0?I:0,at=G%2==1;Ke(y,at?"left":"top",D-$),Ke(y,at?"width":"height",I),Ke(y,at?"top":"left",at?oe:$t),Ke(y,at?"height":"width",at?Ct:B),id(y,br)}else Mi(y,br)}),Rr=Os=Cr=z=K=q=Z=Et=A=null,Pt=1,Yo(!0),$t!=bt||oe!=ke||B!=Ht||Ct!=Yt){ue(!1);let y=B/Ht,E=Ct/Yt;if(mt&&!et&&ut.left>=0){ut.left*=y,ut.top*=E,Ir&&hs(Ir,Rn(ut.left),0,B,Ct),Lr&&hs(Lr,0,Rn(ut.top),B,Ct);for(let I=0;I<le.length;I++){let D=le[I];D!=null&&(qe[I]*=y,qn[I]*=E,hs(D,Ii(qe[I]),Ii(qn[I]),B,Ct))}}if(Ze.show&&!it&&Ze.left>=0&&Ze.width>0){Ze.left*=y,Ze.width*=y,Ze.top*=E,Ze.height*=E;for(let I in au)Ke(Ur,I,Ze[I])}bt=$t,ke=oe,Ht=B,Yt=Ct}Nn("setSize"),_t=!1}sn>0&&pn>0&&(u.clearRect(0,0,h.width,h.height),Nn("drawClear"),w.forEach(y=>y()),Nn("draw")),Ze.show&&it&&(il(Ze),it=!1),mt&&et&&(or(null,!0,!1),et=!1),ft.show&&ft.live&&pt&&(ru(),pt=!1),l||(l=!0,n.status=1,Nn("ready")),Fs=!1,on=!1}n.redraw=(y,E)=>{yt=E||!1,y!==!1?ks(T,L.min,L.max):Gn()};function nu(y,E){let I=M[y];if(I.from==null){if(rn==0){let D=I.range(n,E.min,E.max,y);E.min=D[0],E.max=D[1]}if(E.min>E.max){let D=E.min;E.min=E.max,E.max=D}if(rn>1&&E.min!=null&&E.max!=null&&E.max-E.min<1e-16)return;y==T&&I.distr==2&&rn>0&&(E.min=qi(E.min,t[0]),E.max=qi(E.max,t[0]),E.min==E.max&&E.max++),W[y]=E,ot=!0,Gn()}}n.setScale=nu;let iu,su,Ir,Lr,Od,Bd,Dr,Nr,kd,zd,Ye,Qe,Bs=!1,zn=ut.drag,Ln=zn.x,Dn=zn.y;mt&&(ut.x&&(iu=Pi(Nb,p)),ut.y&&(su=Pi(Ub,p)),L.ori==0?(Ir=iu,Lr=su):(Ir=su,Lr=iu),Ye=ut.left,Qe=ut.top);let Ze=n.select=bn({show:!0,over:!0,left:0,width:0,top:0,height:0},i.select),Ur=Ze.show?Pi(Db,Ze.over?p:d):null;function il(y,E){if(Ze.show){for(let I in y)Ze[I]=y[I],I in au&&Ke(Ur,I,y[I]);E!==!1&&Nn("setSelect")}}n.setSelect=il;function c_(y){if(_[y].show)Q&&id(re[y],br);else if(Q&&Mi(re[y],br),mt){let I=Rt?le[0]:le[y];I!=null&&hs(I,-10,-10,B,Ct)}}function ks(y,E,I){nu(y,{min:E,max:I})}function Ki(y,E,I,D){E.focus!=null&&p_(y),E.show!=null&&_.forEach((G,$)=>{$>0&&(y==$||y==null)&&(G.show=E.show,c_($),s==2?(ks(G.facets[0].scale,null,null),ks(G.facets[1].scale,null,null)):ks(G.scale,null,null),Gn())}),I!==!1&&Nn("setSeries",y,E),D&&Zo("setSeries",n,y,E)}n.setSeries=Ki;function h_(y,E){bn(R[y],E)}function u_(y,E){y.fill=Se(y.fill||null),y.dir=Re(y.dir,-1),E=E??R.length,R.splice(E,0,y)}function f_(y){y==null?R.length=0:R.splice(y,1)}n.addBand=u_,n.setBand=h_,n.delBand=f_;function d_(y,E){_[y].alpha=E,mt&&le[y]!=null&&(le[y].style.opacity=E),Q&&re[y]&&(re[y].style.opacity=E)}let _s,zs,rr,Fr={focus:!0};function p_(y){if(y!=rr){let E=y==null,I=Bt.alpha!=1;_.forEach((D,G)=>{if(s==1||G>0){let $=E||G==0||G==y;D._focus=E?null:$,I&&d_(G,$?1:Bt.alpha)}}),rr=y,I&&Gn()}}Q&&jt&&be(xg,At,y=>{ut._lock||(Kt(y),rr!=null&&Ki(null,Fr,!0,xn.setSeries))});function ji(y,E,I){let D=M[E];I&&(y=y/Pe-(D.ori==1?oe:$t));let G=B;D.ori==1&&(G=Ct,y=G-y),D.dir==-1&&(y=G-y);let $=D._min,at=D._max,dt=y/G,vt=$+(at-$)*dt,Nt=D.distr;return Nt==3?Eo(10,vt):Nt==4?jb(vt,D.asinh):Nt==100?D.bwd(vt):vt}function m_(y,E){let I=ji(y,T,E);return qi(I,t[0],un,fn)}n.valToIdx=y=>qi(y,t[0]),n.posToIdx=m_,n.posToVal=ji,n.valToPos=(y,E,I)=>M[E].ori==0?r(y,M[E],I?X:B,I?C:0):o(y,M[E],I?ht:Ct,I?S:0),n.setCursor=(y,E,I)=>{Ye=y.left,Qe=y.top,or(null,E,I)};function Hd(y,E){Ke(Ur,So,Ze.left=y),Ke(Ur,Ya,Ze.width=E)}function Gd(y,E){Ke(Ur,"top",Ze.top=y),Ke(Ur,Za,Ze.height=E)}let Xo=L.ori==0?Hd:Gd,qo=L.ori==1?Hd:Gd;function g_(){if(Q&&ft.live)for(let y=s==2?1:0;y<_.length;y++){if(y==0&&he)continue;let E=ft.values[y],I=0;for(let D in E)Gt[y][I++].firstChild.nodeValue=E[D]}}function ru(y,E){if(y!=null&&(y.idxs?y.idxs.forEach((I,D)=>{st[D]=I}):nw(y.idx)||st.fill(y.idx),ft.idx=st[0]),Q&&ft.live){for(let I=0;I<_.length;I++)(I>0||s==1&&!he)&&__(I,st[I]);g_()}pt=!1,E!==!1&&Nn("setLegend")}n.setLegend=ru;function __(y,E){let I=_[y],D=y==0&&k==2?li:t[y],G;he?G=I.values(n,y,E)??ie:(G=I.value(n,E==null?null:D[E],y,E),G=G==null?ie:{_:G}),ft.values[y]=G}function or(y,E,I){kd=Ye,zd=Qe,[Ye,Qe]=ut.move(n,Ye,Qe),ut.left=Ye,ut.top=Qe,mt&&(Ir&&hs(Ir,Rn(Ye),0,B,Ct),Lr&&hs(Lr,0,Rn(Qe),B,Ct));let D,G=un>fn;_s=He,zs=null;let $=L.ori==0?B:Ct,at=L.ori==1?B:Ct;if(Ye<0||rn==0||G){D=ut.idx=null;for(let dt=0;dt<_.length;dt++){let vt=le[dt];vt!=null&&hs(vt,-10,-10,B,Ct)}jt&&Ki(null,Fr,!0,y==null&&xn.setSeries),ft.live&&(st.fill(D),pt=!0)}else{let dt,vt,Nt;s==1&&(dt=L.ori==0?Ye:Qe,vt=ji(dt,T),D=ut.idx=qi(vt,t[0],un,fn),Nt=H(t[0][D],L,$,0));let Ut=-10,Ot=-10,se=0,Ce=0,Te=!0,xe="",Jt="";for(let Xt=s==2?1:0;Xt<_.length;Xt++){let $e=_[Xt],an=st[Xt],Un=an==null?null:s==1?t[Xt][an]:t[Xt][1][an],Be=ut.dataIdx(n,Xt,D,vt),ln=Be==null?null:s==1?t[Xt][Be]:t[Xt][1][Be];if(pt=pt||ln!=Un||Be!=an,st[Xt]=Be,Xt>0&&$e.show){let ci=Be==null?-10:Be==D?Nt:H(s==1?t[0][Be]:t[Xt][0][Be],L,$,0),Zn=ln==null?-10:N(ln,s==1?M[$e.scale]:M[$e.facets[1].scale],at,0);if(jt&&ln!=null){let wi=L.ori==1?Ye:Qe,Ni=Cn(Bt.dist(n,Xt,Be,Zn,wi));if(Ni<_s){let Qi=Bt.bias;if(Qi!=0){let hi=ji(wi,$e.scale),Ei=ln>=0?1:-1,Ui=hi>=0?1:-1;Ui==Ei&&(Ui==1?Qi==1?ln>=hi:ln<=hi:Qi==1?ln<=hi:ln>=hi)&&(_s=Ni,zs=Xt)}else _s=Ni,zs=Xt}}if(pt||Rt){let wi,Ni;L.ori==0?(wi=ci,Ni=Zn):(wi=Zn,Ni=ci);let Qi,hi,Ei,Ui,ts,$n,ui=!0,ar=lt.bbox;if(ar!=null){ui=!1;let Jn=ar(n,Xt);Ei=Jn.left,Ui=Jn.top,Qi=Jn.width,hi=Jn.height}else Ei=wi,Ui=Ni,Qi=hi=lt.size(n,Xt);if($n=lt.fill(n,Xt),ts=lt.stroke(n,Xt),Rt)Xt==zs&&_s<=Bt.prox&&(Ut=Ei,Ot=Ui,se=Qi,Ce=hi,Te=ui,xe=$n,Jt=ts);else{let Jn=le[Xt];Jn!=null&&(qe[Xt]=Ei,qn[Xt]=Ui,Eg(Jn,Qi,hi,ui),bg(Jn,$n,ts),hs(Jn,Ii(Ei),Ii(Ui),B,Ct))}}}}if(Rt){let Xt=Bt.prox,$e=rr==null?_s<=Xt:_s>Xt||zs!=rr;if(pt||$e){let an=le[0];an!=null&&(qe[0]=Ut,qn[0]=Ot,Eg(an,se,Ce,Te),bg(an,xe,Jt),hs(an,Ii(Ut),Ii(Ot),B,Ct))}}}if(Ze.show&&Bs)if(y!=null){let[dt,vt]=xn.scales,[Nt,Ut]=xn.match,[Ot,se]=y.cursor.sync.scales,Ce=y.cursor.drag;if(Ln=Ce._x,Dn=Ce._y,Ln||Dn){let{left:Te,top:xe,width:Jt,height:Xt}=y.select,$e=y.scales[Ot].ori,an=y.posToVal,Un,Be,ln,ci,Zn,wi=dt!=null&&Nt(dt,Ot),Ni=vt!=null&&Ut(vt,se);wi&&Ln?($e==0?(Un=Te,Be=Jt):(Un=xe,Be=Xt),ln=M[dt],ci=H(an(Un,Ot),ln,$,0),Zn=H(an(Un+Be,Ot),ln,$,0),Xo(Yi(ci,Zn),Cn(Zn-ci))):Xo(0,$),Ni&&Dn?($e==1?(Un=Te,Be=Jt):(Un=xe,Be=Xt),ln=M[vt],ci=N(an(Un,se),ln,at,0),Zn=N(an(Un+Be,se),ln,at,0),qo(Yi(ci,Zn),Cn(Zn-ci))):qo(0,at)}else lu()}else{let dt=Cn(kd-Od),vt=Cn(zd-Bd);if(L.ori==1){let se=dt;dt=vt,vt=se}Ln=zn.x&&dt>=zn.dist,Dn=zn.y&&vt>=zn.dist;let Nt=zn.uni;Nt!=null?Ln&&Dn&&(Ln=dt>=Nt,Dn=vt>=Nt,!Ln&&!Dn&&(vt>dt?Dn=!0:Ln=!0)):zn.x&&zn.y&&(Ln||Dn)&&(Ln=Dn=!0);let Ut,Ot;Ln&&(L.ori==0?(Ut=Dr,Ot=Ye):(Ut=Nr,Ot=Qe),Xo(Yi(Ut,Ot),Cn(Ot-Ut)),Dn||qo(0,at)),Dn&&(L.ori==1?(Ut=Dr,Ot=Ye):(Ut=Nr,Ot=Qe),qo(Yi(Ut,Ot),Cn(Ot-Ut)),Ln||Xo(0,$)),!Ln&&!Dn&&(Xo(0,0),qo(0,0))}if(zn._x=Ln,zn._y=Dn,y==null){if(I){if(Qd!=null){let[dt,vt]=xn.scales;xn.values[0]=dt!=null?ji(L.ori==0?Ye:Qe,dt):null,xn.values[1]=vt!=null?ji(L.ori==1?Ye:Qe,vt):null}Zo($f,n,Ye,Qe,B,Ct,D)}if(jt){let dt=I&&xn.setSeries,vt=Bt.prox;rr==null?_s<=vt&&Ki(zs,Fr,!0,dt):_s>vt?Ki(null,Fr,!0,dt):zs!=rr&&Ki(zs,Fr,!0,dt)}}pt&&(ft.idx=D,ru()),E!==!1&&Nn("setCursor")}let Hs=null;Object.defineProperty(n,"rect",{get(){return Hs==null&&Yo(!1),Hs}});function Yo(y=!1){y?Hs=null:(Hs=p.getBoundingClientRect(),Nn("syncRect",Hs))}function Vd(y,E,I,D,G,$,at){ut._lock||Bs&&y!=null&&y.movementX==0&&y.movementY==0||(ou(y,E,I,D,G,$,at,!1,y!=null),y!=null?or(null,!0,!0):or(E,!0,!1))}function ou(y,E,I,D,G,$,at,dt,vt){if(Hs==null&&Yo(!1),Kt(y),y!=null)I=y.clientX-Hs.left,D=y.clientY-Hs.top;else{if(I<0||D<0){Ye=-10,Qe=-10;return}let[Nt,Ut]=xn.scales,Ot=E.cursor.sync,[se,Ce]=Ot.values,[Te,xe]=Ot.scales,[Jt,Xt]=xn.match,$e=E.axes[0].side%2==1,an=L.ori==0?B:Ct,Un=L.ori==1?B:Ct,Be=$e?$:G,ln=$e?G:$,ci=$e?D:I,Zn=$e?I:D;if(Te!=null?I=Jt(Nt,Te)?a(se,M[Nt],an,0):-10:I=an*(ci/Be),xe!=null?D=Xt(Ut,xe)?a(Ce,M[Ut],Un,0):-10:D=Un*(Zn/ln),L.ori==1){let wi=I;I=D,D=wi}}vt&&(E==null||E.cursor.event.type==$f)&&((I<=1||I>=B-1)&&(I=Mr(I,B)),(D<=1||D>=Ct-1)&&(D=Mr(D,Ct))),dt?(Od=I,Bd=D,[Dr,Nr]=ut.move(n,I,D)):(Ye=I,Qe=D)}let au={width:0,height:0,left:0,top:0};function lu(){il(au,!1)}let Wd,Xd,qd,Yd;function Zd(y,E,I,D,G,$,at){Bs=!0,Ln=Dn=zn._x=zn._y=!1,ou(y,E,I,D,G,$,at,!0,!1),y!=null&&(be(Jf,ed,$d,!1),Zo(gg,n,Dr,Nr,B,Ct,null));let{left:dt,top:vt,width:Nt,height:Ut}=Ze;Wd=dt,Xd=vt,qd=Nt,Yd=Ut}function $d(y,E,I,D,G,$,at){Bs=zn._x=zn._y=!1,ou(y,E,I,D,G,$,at,!1,!0);let{left:dt,top:vt,width:Nt,height:Ut}=Ze,Ot=Nt>0||Ut>0,se=Wd!=dt||Xd!=vt||qd!=Nt||Yd!=Ut;if(Ot&&se&&il(Ze),zn.setScale&&Ot&&se){let Ce=dt,Te=Nt,xe=vt,Jt=Ut;if(L.ori==1&&(Ce=vt,Te=Ut,xe=dt,Jt=Nt),Ln&&ks(T,ji(Ce,T),ji(Ce+Te,T)),Dn)for(let Xt in M){let $e=M[Xt];Xt!=T&&$e.from==null&&$e.min!=He&&ks(Xt,ji(xe+Jt,Xt),ji(xe,Xt))}lu()}else ut.lock&&(ut._lock=!ut._lock,or(E,!0,y!=null));y!=null&&(wn(Jf,ed),Zo(Jf,n,Ye,Qe,B,Ct,null))}function x_(y,E,I,D,G,$,at){if(ut._lock)return;Kt(y);let dt=Bs;if(Bs){let vt=!0,Nt=!0,Ut=10,Ot,se;L.ori==0?(Ot=Ln,se=Dn):(Ot=Dn,se=Ln),Ot&&se&&(vt=Ye<=Ut||Ye>=B-Ut,Nt=Qe<=Ut||Qe>=Ct-Ut),Ot&&vt&&(Ye=Ye<Dr?0:B),se&&Nt&&(Qe=Qe<Nr?0:Ct),or(null,!0,!0),Bs=!1}Ye=-10,Qe=-10,st.fill(null),or(null,!0,!0),dt&&(Bs=dt)}function Jd(y,E,I,D,G,$,at){ut._lock||(Kt(y),Wo(),lu(),y!=null&&Zo(yg,n,Ye,Qe,B,Ct,null))}function Kd(){b.forEach(xE),O(n.width,n.height,!0)}wr(Sh,wo,Kd);let Or={};Or.mousedown=Zd,Or.mousemove=Vd,Or.mouseup=$d,Or.dblclick=Jd,Or.setSeries=(y,E,I,D)=>{let G=xn.match[2];I=G(n,E,I),I!=-1&&Ki(I,D,!0,!1)},mt&&(be(gg,p,Zd),be($f,p,Vd),be(_g,p,y=>{Kt(y),Yo(!1)}),be(xg,p,x_),be(yg,p,Jd),cd.add(n),n.syncRect=Yo);let sl=n.hooks=i.hooks||{};function Nn(y,E,I){Yn?Fe.push([y,E,I]):y in sl&&sl[y].forEach(D=>{D.call(null,n,E,I)})}(i.plugins||[]).forEach(y=>{for(let E in y.hooks)sl[E]=(sl[E]||[]).concat(y.hooks[E])});let jd=(y,E,I)=>I,xn=bn({key:null,setSeries:!1,filters:{pub:Pg,sub:Pg},scales:[T,_[1]?_[1].scale:null],match:[Ig,Ig,jd],values:[null,null]},ut.sync);xn.match.length==2&&xn.match.push(jd),ut.sync=xn;let Qd=xn.key,cu=A0(Qd);function Zo(y,E,I,D,G,$,at){xn.filters.pub(y,E,I,D,G,$,at)&&cu.pub(y,E,I,D,G,$,at)}cu.sub(n);function y_(y,E,I,D,G,$,at){xn.filters.sub(y,E,I,D,G,$,at)&&Or[y](null,E,I,D,G,$,at)}n.pub=y_;function v_(){cu.unsub(n),cd.delete(n),In.clear(),sd(Sh,wo,Kd),c.remove(),At?.remove(),Nn("destroy")}n.destroy=v_;function hu(){Nn("init",i,t),Vo(t||i.data,!1),W[T]?nu(T,W[T]):Wo(),it=Ze.show&&(Ze.width>0||Ze.height>0),et=pt=!0,O(i.width,i.height)}return _.forEach(Ar),b.forEach(ds),e?e instanceof HTMLElement?(e.appendChild(c),hu()):e(n,hu):hu(),n}kn.assign=bn;kn.fmtNum=gd;kn.rangeNum=bh;kn.rangeLog=Th;kn.rangeAsinh=pd;kn.orient=Tr;kn.pxRatio=Pe;kn.join=cw;kn.fmtDate=xd,kn.tzDate=vw;kn.sync=A0;{kn.addGap=nE,kn.clipGaps=Ch;let i=kn.paths={points:D0};i.linear=U0,i.stepped=rE,i.bars=oE,i.spline=lE}var yE=3,k0=170,vE=2e-6;function Dh(i,t,e){let n=i.array(t.times),s=i.array(t.values),r=e-i.span[0],o=1e-6*Math.max(1,Math.abs(r));if(!n.length||r<n[0]-o||r>n[n.length-1]+o)return t.columns.map(()=>NaN);let[a,l]=[0,n.length-1];for(;l-a>1;){let u=a+l>>1;n[u]<=r?a=u:l=u}let c=n[l]-n[a],h=c>0?Math.min(1,Math.max(0,(r-n[a])/c)):1;return t.columns.map((u,f)=>{let[d,p]=[s[f*n.length+a],s[f*n.length+l]];return h===0?d:d+h*(p-d)})}function z0(i,t,e,n=0){let s=Array.from(i.array(e.times),a=>a+t.span[0]-n),r=i.array(e.values),o=a=>Array.from(r.subarray(a*s.length,(a+1)*s.length),l=>Number.isFinite(l)?l:null);return[s,...e.columns.map((a,l)=>o(l))]}var Nh=class{constructor(t,e,n,s){Object.assign(this,{scene:e,clock:n,others:s}),this.span=[n.start,n.end],this.panels=[],this.box=tt("div",{className:"panels"});let r=tt("button",{type:"button",textContent:"Add a curve",onclick:()=>this.add(this.unused())}),o=tt("button",{type:"button",textContent:"Whole flight",onclick:()=>this.zoom(null)}),a=[r,o];if(e.separations.length){let{time:l,until:c}=e.separations[0],h=[l-.5*(c-l),c+(c-l)];a.push(tt("button",{type:"button",textContent:"Around the first release",onclick:()=>this.zoom(h)}))}t.append(tt("div",{className:"row"},...a),this.box);for(let l of this.firstCurves())this.add(l);new ResizeObserver(()=>this.resize()).observe(this.box),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>this.panels.forEach(l=>this.draw(l)))}firstCurves(){let t=new Set;return this.scene.curves.filter(({path:e})=>{let n=e.slice(e.lastIndexOf(".")+1);return t.has(n)||t.size>=yE?!1:t.add(n)})}unused(){let t=new Set(this.panels.map(({curve:e})=>e));return this.scene.curves.find(e=>!t.has(e))}add(t){if(!t)return;let e={curve:t,node:tt("div",{className:"panel"})},n=tt("select",{onchange:()=>{e.curve=this.scene.curves[Number(n.value)],this.draw(e)}});n.setAttribute("aria-label","Quantity of this curve");let s=new Map;this.scene.curves.forEach((o,a)=>{let l=o.path.split(".")[0];s.has(l)||s.set(l,tt("optgroup",{label:l})),s.get(l).append(tt("option",{value:String(a),textContent:o.path}))}),n.append(...s.values()),n.value=String(this.scene.curves.indexOf(t));let r=tt("button",{type:"button",textContent:"\xD7",title:"Remove this curve",onclick:()=>this.remove(e)});e.value=tt("div",{className:"value"}),e.plot=tt("div"),e.node.append(tt("div",{className:"row"},n,r),e.value,e.plot),this.box.append(e.node),this.panels.push(e),this.draw(e)}remove(t){t.uplot?.destroy(),t.node.remove(),this.panels.splice(this.panels.indexOf(t),1)}draw(t){let{range:e}=this;t.uplot?.destroy();let{curve:n}=t,{scene:s}=this,r=getComputedStyle(this.box),[o,a]=[r.getPropertyValue("--ink"),r.getPropertyValue("--line")],l={stroke:o,grid:{stroke:a,width:1},ticks:{stroke:a,width:1},font:"11px system-ui, sans-serif"},c=n.columns.map((p,v)=>({label:p||n.title,stroke:p==="magnitude"?"#8a929a":vr[v%vr.length],width:p==="magnitude"?2.5:1.5,points:{show:!1}})),h=[z0(s,s,n)];for(let p of this.ofOthers(n))h.push(p.table),c.push(...p.series);let u={width:Math.max(120,t.plot.clientWidth),height:k0,pxAlign:0,scales:{x:{time:!1,range:(p,v,g)=>v===null?this.span:[v,g]},y:{range:ME}},axes:[{...l,size:32,values:(p,v)=>v.map(g=>`${Number(g.toPrecision(10))} s`)},{...l,size:62,values:(p,v)=>v.map(g=>SE(g))}],series:[{},...c],legend:{show:!1},cursor:{y:!1,points:{show:!1},drag:{x:!0,y:!1,setScale:!0}},hooks:{draw:[p=>this.marks(p,o)],setScale:[(p,v)=>v==="x"&&this.zoomed(p)],ready:[p=>p.over.addEventListener("click",v=>this.clock.seek(p.posToVal(v.offsetX,"x")))]}};t.uplot=new kn(u,h.length>1?kn.join(h):h[0],t.plot);let[f,d]=e||this.span;t.uplot.setScale("x",{min:f,max:d}),this.values(t)}ofOthers(t){let{others:e}=this;if(!e?.on)return[];let n=e.kind==="cases";return e.all.filter(s=>s.shown).flatMap(s=>{let r=s.scene.curves.find(({path:u,unit:f,columns:d})=>u===t.path&&f===t.unit&&d.length===t.columns.length);if(!r)return[];let o=r.columns.length-1,a=n?[o]:r.columns.map((u,f)=>f),[l,...c]=z0(this.scene,s.scene,r,s.shift),h=a.map(u=>({label:s.name,stroke:n||o===0?s.tint:vr[u%vr.length],width:n?.8:1.5,dash:n?[]:[6,3],points:{show:!1}}));return[{table:[l,...a.map(u=>c[u])],series:h}]})}again(){for(let t of this.panels)this.draw(t)}marks(t,e){let{ctx:n,bbox:s}=t;n.save(),n.strokeStyle=e;let r=(o,a,l,c)=>{let h=t.valToPos(o,"x",!0);h>=s.left&&h<=s.left+s.width&&(n.globalAlpha=c,n.lineWidth=l,n.setLineDash(a),n.beginPath(),n.moveTo(h,s.top),n.lineTo(h,s.top+s.height),n.stroke())};for(let o of this.scene.events)r(o.time,[2,3],1,.5);n.strokeStyle="#d3222a",r(this.clock.time,[],1.5*devicePixelRatio,.9),n.restore()}zoom(t){this.range=t;let[e,n]=t||this.span;for(let{uplot:s}of this.panels)s?.setScale("x",{min:e,max:n})}zoomed(t){let{min:e,max:n}=t.scales.x;if(!(this.following||e===null||this.range&&this.range[0]===e&&this.range[1]===n)){this.following=!0,this.range=[e,n];for(let{uplot:s}of this.panels)s&&s!==t&&s.setScale("x",{min:e,max:n});this.following=!1}}update(){for(let t of this.panels)t.uplot?.redraw(!1,!1),this.values(t)}values(t){let{curve:e}=t,n=Dh(this.scene,e,this.clock.time),s=n.map((o,a)=>`${e.columns[a]?`${e.columns[a]} `:""}${xs(o)}`),r=n.some(Number.isFinite)?`${s.join("   ")} ${e.unit}`:"no data at this time";t.value.textContent=r+this.valueOfOther(e)}valueOfOther(t){let[e,n]=this.others?.kind==="flights"&&this.others.on?this.others.all:[],s=e&&!n&&e.shown&&e.scene.curves.find(({path:o,unit:a,columns:l})=>o===t.path&&a===t.unit&&l.length===1);if(!s)return"";let[r]=Dh(e.scene,s,this.clock.time+e.shift);return`   (${e.name}: ${xs(r)})`}resize(){for(let{uplot:t,plot:e}of this.panels){let n=Math.max(120,e.clientWidth);t&&Math.abs(t.width-n)>1&&t.setSize({width:n,height:k0})}}};function ME(i,t,e){if(t===null||e===null)return[-1,1];let n=Math.max(Math.abs(t),Math.abs(e));if(e-t<=vE*n||n<1e-12){let r=n>1e-12?.5*n:1;return[t-r,e+r]}let s=.08*(e-t);return[t-s,e+s]}function SE(i){if(i===0)return"0";let t=Math.abs(i);return t>=1e6||t<.001?i.toExponential(1):String(Number(i.toPrecision(6)))}var H0=new F(0,0,1),Qa="#8b1e1e";function tl(i,t,e,n){let s=Me(e,t),r=en(s);i.visible=r>1e-9,i.visible&&(i.position.set(...t),i.quaternion.setFromUnitVectors(H0,new F(...s).divideScalar(r)),i.scale.set(n,n,r))}var us=(i,t={})=>new rs({color:i,roughness:.6,...t}),Lo=class{constructor(t,e){this.flight=t,this.radius=.016*e,this.group=new te;let n=new Ci(.55,.55,1,16).rotateX(Math.PI/2).translate(0,0,.5),s={coil:fg(),rod:n,line:n};this.all=t.scene.items.filter(r=>r.type==="link").map(r=>{let o=us(r.failed?Qa:"#f0b400",{metalness:.3}),a=new _e(s[r.style]||n,o);return a.userData.item=r,this.group.add(a),{item:r,mesh:a,material:o,state:r.state&&new hn(t.scene,r.state)}})}place(t,e){for(let{item:n,mesh:s}of this.all){let r=this.ends(n,e);if(s.visible=!!r,!r)continue;let o=n.style==="line"?.35:1;tl(s,Xe(t,r[0]),Xe(t,r[1]),o*this.radius)}}ends(t,e){let n=this.flight.point(t.bodies[0],t.at[0],e);if(!n)return null;if(t.until!==void 0&&e>t.until){let r=this.flight.drawing(t.bodies[0],e);return t.rest??(t.rest=this.rest(t)),t.rest&&r&&[n,n.map((o,a)=>o+Ee(r.q,t.rest)[a])]}let s=this.flight.point(t.bodies[1],t.at[1],e);return s&&[n,s]}texts(){return this.all.map(({item:t,state:e})=>({item:t,text:n=>e?Ed(t,e,n,this.flight.scene.span[0]):""}))}rest(t){let e=this.ends(t,t.until),n=this.flight.drawing(t.bodies[0],t.until);return e&&n&&Ee(Sn(n.q),Me(e[1],e[0]))}};function Ed(i,t,e,n){return(t?.at(e)||[0])[0]>.5?"acts":i.until!==void 0&&e>i.until&&i.until>n?"spent":"does not act"}var Do=class{constructor(t,e){this.flight=t,this.group=new te;let n=new xa(.014*e);this.all=t.scene.joints.map(s=>{let r=new _e(n,new Qn({color:"#1f9d55",depthTest:!1,transparent:!0}));return r.renderOrder=5,this.group.add(r),{joint:s,mesh:r,active:s.active&&new hn(t.scene,s.active)}})}held(t,e){let n=t.active?.at(e);return n?n[0]>.5:!t.active}place(t,e){for(let n of this.all){let s=this.flight.point(n.joint.bodies[0],n.joint.at[0],e);n.mesh.visible=!!s&&this.held(n,e),s&&n.mesh.position.set(...Xe(t,s))}}},No=class{constructor(t){this.flight=t,this.group=new te;let e=new dr(.5,1,24,1,!0).rotateX(-Math.PI/2).translate(0,0,.5),n=t.scene.items.filter(o=>o.type==="plume"),s=n.map(o=>new hn(t.scene,o.thrust)),r=Math.max(...s.map(o=>o.largest()),1e-9);this.all=n.map((o,a)=>{let l={color:"#ff9a2e",transparent:!0,opacity:.5,depthWrite:!1,side:vn},c=new _e(e,new Qn(l));this.group.add(c);let h=o.force&&new hn(t.scene,o.force),u=t.bodies.get(o.body)?.extent||1;return{item:o,mesh:c,thrust:s[a],force:h,most:r,extent:u}})}place(t,e){for(let{item:n,mesh:s,thrust:r,force:o,most:a,extent:l}of this.all){let c=this.flight.drawing(n.body,e),h=(r.at(e)||[0])[0]/a;if(s.visible=!!c&&h>1e-4,!s.visible)continue;let u=o?.at(e),f=u&&en(u)>0?Mn(u):Mn(n.direction),d=this.flight.point(n.body,n.at,e),p=.45*l*Math.sqrt(h),v=d.map((g,m)=>g-p*Ee(c.q,f)[m]);tl(s,Xe(t,d),Xe(t,v),.3*p)}}},Uo=class{constructor(t){this.flight=t,this.group=new te;let e=new xi(1,32,12,0,2*Math.PI,0,Math.PI/2).rotateX(Math.PI/2);this.all=t.scene.items.filter(n=>n.type==="canopy").map(n=>{let s={color:"#e8604c",side:vn,transparent:!0,opacity:.8},r=new _e(e,new rs(s)),o=new Ri(new ge,new Bn({color:"#888"}));return o.frustumCulled=!1,this.group.add(r,o),{item:n,mesh:r,line:o,state:n.state&&new hn(t.scene,n.state)}})}place(t,e){for(let{item:n,mesh:s,line:r,state:o}of this.all){let a=this.flight.point(n.body,n.at,e),l=!!a&&(o?.at(e)||[0])[0]>.5;if(s.visible=r.visible=l,!l)continue;let c=Math.sqrt(n.area/.75/Math.PI),h=this.wind(n.body,e),u=en(h)>1e-9?we(Mn(h),-1):[0,0,1],f=a.map((v,g)=>v+3*c*u[g]),[d,p]=[Xe(t,a),Xe(t,f)];s.position.set(...p),s.scale.setScalar(c),s.quaternion.setFromUnitVectors(H0,new F(...Mn(Me(p,d)))),r.geometry.setAttribute("position",new qt([...d,...p],3))}}wind(t,e){let{planet:n}=this.flight.scene,s=this.flight.origin(e),r=this.flight.pose(t,e),o=r.v.map((l,c)=>l+s.v[c]);if(n?.kind!=="ellipsoid")return o;let a=r.p.map((l,c)=>l+s.p[c]);return[o[0]+n.rotation_rate*a[1],o[1]-n.rotation_rate*a[0],o[2]]}};var bE=28,wE=6e4,G0=12,EE=.1,W0=1e-9,TE=([i,t,e,n])=>new We(t,e,n,i),Td=i=>Array.from({length:i.length/3},(t,e)=>[...i.subarray(3*e,3*e+3)]),Uh=class{constructor(t,e){this.item=e,this.points=Td(t.scene.array(e.points)),this.shapes=t.scene.array(e.shapes),this.amplitudes=new hn(t.scene,e.amplitudes)}at(t){let e=this.amplitudes.at(t),n=this.points.length;if(!e)return null;let s=new Float64Array(6*n);return e.forEach((r,o)=>{for(let a=0;a<s.length;a++)s[a]+=r*this.shapes[6*n*o+a]}),{moved:Td(s.subarray(0,3*n)),turned:Td(s.subarray(3*n))}}};function AE(i,t,e){let n=Object.keys(i.attributes).filter(d=>d!=="uv"),s=n.map(d=>i.getAttribute(d)),r=[],o=d=>s.flatMap(p=>[p.getX(d),p.getY(d),p.getZ(d)]),a=i.index,l=a?a.count:s[0].count;for(let d=0;d+e<=l;d+=e)r.push(Array.from({length:e},(p,v)=>o(a?a.getX(d+v):d+v)));let c=[],h=3*n.indexOf("position"),u=(d,p)=>Math.hypot(d[h]-p[h],d[h+1]-p[h+1],d[h+2]-p[h+2]);for(;r.length;){let d=r.pop(),v=(e===2?[[0,1]]:[[0,1],[1,2],[2,0]]).reduce((b,M)=>u(d[M[0]],d[M[1]])>u(d[b[0]],d[b[1]])?M:b),[g,m]=v;if(u(d[g],d[m])<=t||c.length+r.length>=wE){c.push(d);continue}let _=d[g].map((b,M)=>(b+d[m][M])/2);r.push(d.map((b,M)=>M===g?_:b),d.map((b,M)=>M===m?_:b))}let f=new ge;return n.forEach((d,p)=>f.setAttribute(d,new qt(c.flat().flatMap(v=>v.slice(3*p,3*p+3)),3))),f}function V0(i,t){let e=we(i.reduce(Ae),1/i.length),n=i.reduce((c,h)=>en(Me(h,e))>en(Me(c,e))?h:c),s=Mn(Me(n,e)),r=i.map(c=>cs(Me(c,e),s)),o=Math.max(...i.map((c,h)=>en(Me(Me(c,e),we(s,r[h]))))),a=r.map((c,h)=>h).sort((c,h)=>r[c]-r[h]),l=a.every((c,h)=>h===0||r[c]-r[a[h-1]]>1e-6*t);return o<=EE*t&&l?CE(i,e,s,r,a):RE(i,t)}function RE(i,t){return e=>{let n=i.map(r=>1/(en(Me(e,r))**4+(.001*t)**4)),s=n.reduce((r,o)=>r+o);return({moved:r,turned:o})=>i.reduce((a,l,c)=>Ae(a,we(Ae(r[c],vi(o[c],Me(e,l))),n[c]/s)),[0,0,0])}}function CE(i,t,e,n,s){return r=>{let o=cs(Me(r,t),e),a=0;for(;a<s.length-2&&n[s[a+1]]<o;)a++;let[l,c]=[s[a],s[a+1]],h=n[c]-n[l],u=Math.min(1,Math.max(0,(o-n[l])/h)),f=o<n[l]?l:o>n[c]?c:-1,d=Ae(t,we(e,o));return({moved:p,turned:v})=>{if(f>=0)return Ae(p[f],vi(v[f],Me(r,i[f])));let g=Ae(we(v[l],1-u),we(v[c],u)),m=v.some(_=>en(_)>W0)?PE(p[l],p[c],vi(v[l],e),vi(v[c],e),h,u):Ae(we(p[l],1-u),we(p[c],u));return Ae(m,vi(g,Me(r,d)))}}}function PE(i,t,e,n,s,r){let[o,a]=[r*r,r*r*r];return i.map((l,c)=>i[c]*(2*a-3*o+1)+e[c]*s*(a-2*o+r)+t[c]*(3*o-2*a)+n[c]*s*(a-o))}var Ad=class{constructor(t,e,n){this.deformation=new Uh(t,e),this.body=n;let s=V0(this.deformation.points,e.extent);this.parts=[],n.inner.updateMatrixWorld(!0);let r=n.outer.matrixWorld.clone().invert();n.inner.traverse(o=>{if(!o.isMesh&&!o.isLineSegments)return;o.geometry=AE(o.geometry,n.body.extent/bE,o.isMesh?3:2),o.geometry.userData.own=!0,o.frustumCulled=!1;let a=r.clone().multiply(o.matrixWorld),l=new ee().setFromMatrix4(a.clone().invert()),c=o.geometry.getAttribute("position").clone(),h=new Map,u=[];for(let f=0;f<c.count;f++){let d=new F().fromBufferAttribute(c,f).applyMatrix4(a).toArray(),p=d.map(v=>v.toFixed(9)).join();h.has(p)||h.set(p,u.push({move:s(d),rows:[]})-1),u[h.get(p)].rows.push(f)}this.parts.push({part:o,base:c,fields:u,back:l})})}bend(t,e){let n=this.deformation.at(t),s=n&&{moved:n.moved.map(r=>we(r,e)),turned:n.turned.map(r=>we(r,e))};for(let{part:r,base:o,fields:a,back:l}of this.parts){let c=r.geometry.getAttribute("position");for(let{move:h,rows:u}of a){let f=s?new F(...h(s)).applyMatrix3(l):new F;for(let d of u)c.setXYZ(d,o.getX(d)+f.x,o.getY(d)+f.y,o.getZ(d)+f.z)}c.needsUpdate=!0}}displacement(t,e,n){let s=this.deformation.at(e);return s?we(V0(this.deformation.points,this.deformation.item.extent)(t)(s),n):null}},Rd=class{constructor(t,e,n){this.flight=t,this.item=e,this.deformation=new Uh(t,e);let[s,r]=e.section.map(h=>Math.max(h,.004*n)),o=h=>[s*Math.cos(h),r*Math.sin(h)];this.ring=e.round?Array.from({length:G0},(h,u)=>o(2*Math.PI*u/G0)):[[s,r],[-s,r],[-s,-r],[s,-r]];let a=this.deformation.points.length+1,l=[],c=this.ring.length;for(let h=0;h+1<a;h++)for(let u=0;u<c;u++){let[f,d]=[h*c+u,h*c+(u+1)%c];l.push(f,f+c,d,d,f+c,d+c)}this.shape=new ge,this.shape.setAttribute("position",new qt(new Float32Array(3*a*c),3)),this.shape.setIndex(l),this.mesh=new _e(this.shape,us("#6b8f71",{side:vn,flatShading:!e.round})),this.mesh.frustumCulled=!1,this.mesh.userData.item=e}nodes(t,e){let n=this.deformation.at(t);if(!n)return null;let s=[[0,0,0],...this.deformation.points],r=[[0,0,0],...n.moved],o=[[0,0,0],...n.turned],a=r.length-1,l=this.item.bodies.length>1,c=en(s[a])||1;return{places:s.map((u,f)=>{let d=en(u)/c,p=l?we(Ae(s[a],r[a]),d):u,v=Ae(u,r[f]);return Ae(p,we(Me(v,p),e))}),turned:o.map(u=>we(u,l?1:e))}}bend(t,e,n){let{item:s,mesh:r,shape:o,ring:a}=this,l=this.flight.drawing(s.bodies[0],e),c=l&&this.nodes(e,n);if(r.visible=!!c,!c)return;r.position.set(...Xe(t,Ae(l.p,Ee(l.q,s.at)))),r.quaternion.copy(TE(cn(cn(Sn(t.q),l.q),s.turn)));let h=o.getAttribute("position"),{places:u,turned:f}=c;u.forEach((d,p)=>{let v=u[Math.max(0,p-1)],g=u[Math.min(u.length-1,p+1)],m=Mn(Me(g,v)),_=IE(f[p]),b=Mn(Me(Ee(_,[0,1,0]),we(m,cs(Ee(_,[0,1,0]),m)))),M=vi(m,b);a.forEach(([R,T],x)=>h.setXYZ(p*a.length+x,...Ae(d,Ae(we(b,R),we(M,T)))))}),h.needsUpdate=!0,o.computeVertexNormals(),o.computeBoundingSphere()}};function IE(i){let t=en(i);return t<W0?[1,0,0,0]:[Math.cos(t/2),...we(i,Math.sin(t/2)/t)]}var Fh=class{constructor(t,e,n){this.flight=t,this.group=new te;let{items:s}=t.scene,r=o=>e.all.get(o.body);this.bodies=s.filter(o=>o.type==="flexiblebody"&&r(o)).map(o=>new Ad(t,o,r(o))),this.beams=s.filter(o=>o.type==="flexiblebeam").map(o=>new Rd(t,o,n));for(let{mesh:o}of this.beams)this.group.add(o);this.standard=t.scene.exaggeration??1,this.factor=this.standard}get any(){return this.bodies.length+this.beams.length>0}place(t,e){for(let n of this.bodies)n.bend(e,this.factor);for(let n of this.beams)n.bend(t,e,this.factor)}bend(t,e){let n=this.bodies.find(({body:s})=>s.body.name===t);return n?.bend(e,this.factor),!!n}get caption(){return`deformation \xD7 ${Number(this.factor.toPrecision(3))}`}texts(){return this.beams.map(({item:t})=>({item:t,text:()=>this.caption}))}};var LE="ground",Fo=class{constructor(t){this.scene=t,this.reference=t.reference,this.moving=new Xa(t,t.origin),this.tracks=new Map(t.bodies.map(e=>[e.name,new Xa(t,e.poses)])),this.bodies=new Map(t.bodies.map(e=>[e.name,e])),this.centres=new Map(t.bodies.filter(e=>e.centres).map(e=>[e.name,new hn(t,e.centres)])),this.joints=new Map(t.joints.map(e=>[e.name,e])),this.stations=new Map((t.stations||[]).map(e=>[e.name,e]))}origin(t){let{moving:e}=this;return e.at(Math.min(e.last,Math.max(e.first,t)))||{p:[0,0,0],v:[0,0,0]}}pose(t,e){return this.tracks.get(t)?.at(e)||null}centre(t,e){return this.centres.get(t)?.at(e)||this.bodies.get(t).centre}drawing(t,e){if(t===LE)return{p:Me([0,0,0],this.origin(e).p),q:Ga};let n=this.pose(t,e);return n?{p:Me(n.p,Ee(n.q,this.centre(t,e))),q:n.q,v:n.v}:null}point(t,e,n){let s=this.drawing(t,n);return s&&Ae(s.p,Ee(s.q,e))}};var Oh=class{constructor(t,e,n){this.flight=t,this.labels=n,this.group=new te,this.on=!0;let s=new xi(.006*e,12,8);this.all=t.scene.items.filter(r=>r.type==="gap").map(r=>{let o=new Bn({depthTest:!1,transparent:!0}),a=new Qn({depthTest:!1,transparent:!0}),l=new Ri(new ge,o);l.frustumCulled=!1;let c=[new _e(s,a),new _e(s,a)];for(let u of[l,...c])u.renderOrder=7;this.group.add(l,...c);let h=u=>new hn(t.scene,u);return{item:r,line:l,ends:c,materials:[o,a],distance:h(r.distance),points:r.points.map(h)}})}place(t,e,n){let[s,r]=this.flight.scene.length;for(let{item:o,line:a,ends:l,materials:c,distance:h,points:u}of this.all){let f=this.on?h.at(e)?.[0]:void 0,d=u.map((_,b)=>{let M=f===void 0?null:_.at(e),R=M&&this.flight.point(o.bodies[b],M,e);return R&&Xe(t,R)}),p=d.every(Boolean);a.visible=l[0].visible=l[1].visible=p;let v=`gap:${o.name}`;if(!p){this.labels.set(v,"",null);continue}let g=f<(o.limit??0)||n.has(o.name);for(let _ of c)_.color.set(g?Mo:"#7e57c2");a.geometry.setAttribute("position",new qt(d.flat(),3)),l.forEach((_,b)=>_.position.set(...d[b]));let m=d[0].map((_,b)=>(_+d[1][b])/2);this.labels.set(v,`${o.name}: ${xs(f*s)} ${r}`,m,g?"bad":"gap")}}};var X0=([i,t,e,n])=>new We(t,e,n,i),Cd=15,DE=2e3,NE=4e3,q0=2e4,Bh=class{constructor(t,e){this.flight=t,this.planet=t.scene.planet,this.group=new te,this.on=!0,this.pad=this.plane(),this.group.add(this.pad),this.planet.kind==="ellipsoid"&&this.addBall(e)}plane(){let t=new co(2*DE,40,7042688,10134701).rotateX(Math.PI/2);t.material.transparent=!0,t.material.opacity=.5;let e=new te().add(t),n=new co(200,20,7042688,10134701).rotateX(Math.PI/2);return n.material.transparent=!0,n.material.opacity=.5,e.add(n)}addBall(t){let{radius:e,flattening:n}=this.planet,s=e*(1-n);this.ball=new te;let r=new rs({color:11124946,roughness:1}),o=new _e(new xi(1,192,96).rotateX(Math.PI/2),r);o.scale.set(e,e,s).multiplyScalar(.9995);let a=new is(UE(e,s),new Bn({color:5993608,transparent:!0,opacity:.7}));this.ball.add(o,a);let[l,c]=this.flight.scene.span;for(let[h,u]of t){let[f,d]=this.paths(h,l,c);this.ball.add(Y0(f,u),Y0(d,3159612))}this.group.add(this.ball)}paths(t,e,n){let{radius:s,flattening:r}=this.planet,o=s*(1-r),[a,l]=[[],[]];for(let c=0;c<=1e3;c++){let h=e+(n-e)*c/1e3,u=this.flight.pose(t,h);if(!u)continue;let f=this.flight.origin(h).p,d=Ee(Sn(Va(this.planet,h)),u.p.map((v,g)=>v+f[g]));a.push(...d);let p=1.0005/Math.hypot(d[0]/s,d[1]/s,d[2]/o);l.push(...d.map(v=>v*p))}return[a,l]}place(t,e){this.group.visible=this.on;let n=this.flight.origin(e).p,s=this.flight.scene.span[0],r=Ds(this.flight,"site:",e),o=this.height(this.flight.origin(s).p),a=this.height(n)<q0;this.pad.visible=o<q0/4&&(a||this.planet.kind==="flat");let l=Ee(r.q,[0,0,-o]),c=xo(t,{p:r.p.map((f,d)=>f+l[d]),q:r.q});if(this.pad.position.set(...c.p),this.pad.quaternion.copy(X0(c.q)),!this.ball)return;let h=n.map(f=>-f),u=xo(t,{p:h,q:Va(this.planet,e)});this.ball.visible=this.height(n)>NE,this.ball.position.set(...u.p),this.ball.quaternion.copy(X0(u.q))}height(t){if(this.planet.kind==="flat"){let r=Ee(mh(this.planet,t),[0,0,1]);return t.reduce((o,a,l)=>o+(a-this.planet.at[l])*r[l],0)}let{radius:e,flattening:n}=this.planet,s=en(t);return s-e*(1-n*(t[2]/s)**2)}sphere(t,e){return this.ball?{centre:Xe(t,this.flight.origin(e).p.map(n=>-n)),radius:1.05*this.planet.radius}:null}};function Y0(i,t){let e=new ge;return e.setAttribute("position",new qt(i,3)),new Ri(e,new Bn({color:t}))}function UE(i,t){let e=[],n=(o,a)=>[i*Math.cos(o)*Math.cos(a),i*Math.cos(o)*Math.sin(a),t*Math.sin(o)],s=Math.PI/180;for(let o=-180;o<180;o+=Cd)for(let a=-90;a<90;a+=2)e.push(...n(a*s,o*s),...n((a+2)*s,o*s));for(let o=-90+Cd;o<90;o+=Cd)for(let a=-180;a<180;a+=2)e.push(...n(o*s,a*s),...n(o*s,(a+2)*s));let r=new ge;return r.setAttribute("position",new qt(e,3)),r}var FE=new F(0,0,1),OE="#2b2f33",BE=.1,kE=.04,zE=([i,t,e,n])=>new We(t,e,n,i),$0=i=>{let{x:t,y:e,z:n,w:s}=new We().setFromUnitVectors(FE,new F(...Mn(i)));return[s,t,e,n]};function kh(i,t,e,n,s,r,o){let a=t.drawing(s,n);i.visible=!!a,a&&(i.position.set(...Xe(e,Ae(a.p,Ee(a.q,r)))),i.quaternion.copy(zE(cn(cn(Sn(e.q),a.q),o))))}var sr=(i,t)=>i.scene.items.filter(e=>e.type===t),Li=(i,t)=>t&&new hn(i.scene,t),Z0=(i,t)=>{let e=i?.at(t);return e?e[0]>.5:void 0},Oo=class{constructor(t,e){this.flight=t,this.group=new te;let n=.011*e,s=(o,a,l,c)=>new Ci(o,o,l-a,c).rotateX(Math.PI/2).translate(0,0,(a+l)/2),r=s(n,-4*n,0,16);this.shapes={head:s(2*n,-5.4*n,-4*n,6),shank:r,end:s(n,0,4*n,16),nut:s(2*n,4*n,5.6*n,6)},this.size=e,this.all=sr(t,"fastener").map(o=>this.make(o))}make(t){let{flight:e,shapes:n}=this,s=t.failed?Qa:"#8e9aa6",r=us(s,{metalness:.1,roughness:.5}),o=[new te,new te];if(t.style==="seam"){let a=t.radius||.05*this.size;for(let l of o)l.add(new _e(new va(a,Math.max(.012*a,.004*this.size),8,64),r))}else{let a=l=>new _e(l,r);o[0].add(a(n.head),a(n.shank)),o[t.style==="nut"?0:1].add(a(n.end)),o[1].add(a(n.nut))}for(let a of o)a.userData.item=t,this.group.add(a);return{item:t,sides:o,material:r,colour:s,turn:$0(t.direction),state:Li(e,t.state),joint:Li(e,t.joint)}}status(t,e){return Z0(t.state,e)===!1?"released":Z0(t.joint,e)===!1?"whole":"held"}place(t,e){for(let n of this.all){let{item:s,sides:[r,o],turn:a,material:l,colour:c}=n,h=this.status(n,e);l.color.set(h==="released"&&s.style!=="nut"?OE:c),kh(r,this.flight,t,e,s.bodies[0],s.at[0],a),h!=="released"?kh(o,this.flight,t,e,s.bodies[0],s.at[0],a):kh(o,this.flight,t,e,s.bodies[1],s.at[1],this.onChild(n)),s.style==="nut"&&o.scale.set(...h==="released"?[1.5,1.5,1]:[1,1,1])}}onChild(t){if(!t.childTurn){let{item:e,turn:n}=t,[s]=this.flight.scene.span,r=e.bodies.map(o=>this.flight.drawing(o,s));t.childTurn=r.every(Boolean)?cn(Sn(r[1].q),cn(r[0].q,n)):n}return t.childTurn}texts(){return this.all.map(t=>({item:t.item,text:e=>({held:"attached",released:"released",whole:"not released; its joint is free"})[this.status(t,e)]}))}},Bo=class{constructor(t){this.flight=t,this.group=new te,this.all=sr(t,"band").map(e=>{let n=us(e.failed?Qa:"#d0a761",{metalness:.1,roughness:.5,side:vn}),s=new te,r=Math.max(3,Math.min(64,e.segments)),o=2*Math.PI/r-kE,a=HE(e.radius,o),l=[];for(let c=0;c<r;c++){let h=new _e(a,n),u=2*Math.PI*c/r;h.rotation.z=u,s.add(h),l.push({mesh:h,out:[Math.cos(u),Math.sin(u)]})}return s.userData.item=e,this.group.add(s),{item:e,ring:s,parts:l,turn:$0(e.direction)}})}open({item:t},e){return t.until===void 0||t.until<=this.flight.scene.span[0]?t.until===void 0?0:1:e>=t.until?1:t.opening>0?Math.max(0,1-(t.until-e)/t.opening):0}place(t,e){for(let n of this.all){let{item:s,ring:r,parts:o,turn:a}=n;kh(r,this.flight,t,e,s.bodies[0],s.at,a);let l=BE*s.radius*this.open(n,e);for(let{mesh:c,out:h}of o)c.position.set(l*h[0],l*h[1],0)}}texts(){let t=e=>e>=1?"released":e>0?"opening":"closed";return this.all.map(e=>({item:e.item,text:n=>t(this.open(e,n))}))}};function HE(i,t){let[e,n,s]=[i*1,i*1.06,.05*i],r=[[e,-s],[n,-s],[n,s],[e,s],[e,-s]].map(([a,l])=>new It(a,l)),o=new pr(r,8,Math.PI/2-t/2,t).rotateX(Math.PI/2).toNonIndexed();return o.computeVertexNormals(),o}var ko=class{constructor(t,e){this.flight=t,this.group=new te;let n=new Ci(1,1,1,20,1,!0).rotateX(Math.PI/2).translate(0,0,.5),s=new Ci(1,1,1,16).rotateX(Math.PI/2).translate(0,0,.5);this.all=sr(t,"strokedevice").map(r=>{let o=Math.min(.06*e,Math.max(.006*e,(r.bore||.03*e)/2)),a=new _e(n,us(r.failed?Qa:"#5f6f7d",{metalness:.1,side:vn})),l=new _e(s,us("#f0b400",{metalness:.1}));for(let c of[a,l])c.userData.item=r,this.group.add(c);return{item:r,house:a,bar:l,radius:o,least:.02*e,state:Li(t,r.state)}})}ends(t,e){let{item:n}=t,s=this.flight.drawing(n.bodies[0],e);if(!s)return null;let{along:r,out:o}=n.until!==void 0&&e>n.until?(t.rest??(t.rest=this.own(t,n.until)))||{}:this.own(t,e)||{};if(!r)return null;let a=Ee(s.q,r),l=Ae(s.p,Ee(s.q,n.at[0])),c=Math.max(n.stroke,t.least);return{mouth:l,tip:Ae(l,we(a,o)),back:Me(l,we(a,c)),start:Me(l,we(a,Math.max(0,c-Math.max(o,0))))}}own(t,e){let{item:n}=t,s=this.flight.drawing(n.bodies[0],e),r=this.flight.point(n.bodies[0],n.at[0],e),o=this.flight.point(n.bodies[1],n.at[1],e);if(!s||!r||!o)return null;let a=Ee(Sn(s.q),Me(o,r)),l=n.direction?Mn(n.direction):en(a)>1e-9?Mn(a):[0,0,1];return{along:l,out:cs(a,l)}}place(t,e){for(let n of this.all){let s=this.ends(n,e);if(n.house.visible=n.bar.visible=!!s,!s)continue;let r=o=>Xe(t,o);tl(n.house,r(s.back),r(s.mouth),1.25*n.radius),tl(n.bar,r(s.start),r(s.tip),.7*n.radius)}}texts(){return this.all.map(t=>({item:t.item,text:e=>Ed(t.item,t.state,e,this.flight.scene.span[0])}))}};var zh=class{constructor(t,e){this.view=t,this.roots=e.map(s=>s.group),this.all=e.flatMap(s=>s.texts()),this.byItem=new Map(this.all.map(s=>[s.item,s]));for(let s of this.all)s.readings=(s.item.readings||[]).map(({text:r,unit:o,values:a})=>({text:r,unit:o,channel:new hn(t.scene,a)}));this.ray=new Ra,this.shown=null;let{canvas:n}=t.stage;this.all.length&&(n.addEventListener("pointermove",s=>this.point(s)),n.addEventListener("pointerdown",s=>this.point(s)),n.addEventListener("pointerleave",()=>this.show(null)))}point(t){if(t.buttons&&t.type==="pointermove")return;let e=this.view.stage.canvas.getBoundingClientRect(),n=new It(2*(t.clientX-e.left)/e.width-1,1-2*(t.clientY-e.top)/e.height);this.ray.setFromCamera(n,this.view.stage.camera),this.ray.params.Line.threshold=0;let s=this.ray.intersectObjects(this.roots,!0).filter(({object:o})=>J0(o)),r=s.length?K0(s[0].object):null;this.show(this.byItem.get(r)??null,s[0]?.point)}show(t,e){t===this.shown&&!t||(this.shown=t,this.at=e?.toArray(),this.view.stage.draw())}text({item:t,text:e,readings:n},s){let r=n.map(({text:a,unit:l,channel:c})=>{let[h,u]=this.view.scene.units[l]||[1,l],f=c.at(s);return f?`${a} ${xs(f[0]*h,3)}${u==="1"?"":` ${u}`}`:null});return[t.failed?"failed device":null,e(s),...r].filter(Boolean).join(", ")}place(t,e){let{labels:n}=this.view.stage;this.shown?n.set("hover",`${this.shown.item.name}: ${this.text(this.shown,e)}`,this.at,"hover"):n.set("hover","",null)}},J0=i=>!i||i.visible&&J0(i.parent),K0=i=>i&&(i.userData.item??K0(i.parent));var GE=1500,zo=class{constructor(t,e=GE){this.flight=t,this.most=e,this.group=new te,this.traces=[],this.times=this.sampleTimes()}sampleTimes(){let[t,e]=this.flight.scene.span,n=[];for(let s=0;s<=this.most;s++)n.push(t+(e-t)*s/this.most);for(let{time:s,until:r}of this.flight.scene.separations)for(let o=0;o<=200;o++)n.push(s+3*(r-s)*o/200);return n.filter(s=>s>=t&&s<=e).sort((s,r)=>s-r)}show(t,e){this.group.clear(),this.traces=t.map(({name:n,at:s,colour:r})=>{let o=[],a=[];for(let h of this.times){let u=s?this.flight.drawing(n,h):this.flight.pose(n,h);if(!u)continue;let f=s?Ae(u.p,Ee(u.q,s)):u.p;o.push(...Xe(e(h),f)),a.push(h)}let l=new ge;l.setAttribute("position",new qt(o,3));let c=new Ri(l,new Bn({color:r}));return c.frustumCulled=!1,this.group.add(c),{line:c,times:a}})}until(t){for(let{line:e,times:n}of this.traces)e.geometry.setDrawRange(0,n.filter(s=>s<=t).length)}};var VE={met:"#0072b2",violated:"#d55e00",unknown:"#8a8a8a"},t_={met:"meets all requirements",violated:"violates a requirement",unknown:"no verdict","":""},j0=["#d81b9c","#00a6a6","#7cb342","#8d6e63"],Q0=1.003,WE=150,XE=60;function qE(i,t){let e=new Map(i.bodies.map(s=>[s.name,s.shapes])),n=t.bodies.map(s=>({...s,shapes:s.shapes||e.get(s.name)}));return{units:i.units,length:i.length,...t,bodies:n,array:s=>i.array(s)}}var Pd=class{constructor(t,e,n,s){let{scene:r}=n;Object.assign(this,{name:t.name,verdict:t.verdict,shift:t.shift,outcome:t.outcome,alignment:t.alignment,view:n,kind:s}),this.scene=qE(r,t),this.flight=new Fo(this.scene),this.shown=!0,this.tint=s==="cases"?VE[t.verdict||"unknown"]:j0[e%j0.length],this.bodies=new vo(this.flight,a=>n.bodies.all.get(a)?.colour);for(let{inner:a,middle:l}of this.bodies.all.values())a.position.set(...l).multiplyScalar(1-Q0),a.scale.setScalar(Q0);this.group=new te,this.group.add(this.bodies.group);let o=Math.max(n.bodies.smallest,n.bodies.extent/6);this.devices=s==="cases"?[]:[new Do(this.flight,o),new Lo(this.flight,o),new Oo(this.flight,o),new Bo(this.flight),new ko(this.flight,o),new No(this.flight),new Uo(this.flight)];for(let a of this.devices)this.group.add(a.group);this.trails=new zo(this.flight,s==="cases"?WE:void 0),this.group.add(this.trails.group)}frame(t,e,n){let s=e+this.shift;if(n){let r=Ds(this.view.flight,t,e);return{p:Me(Ae(r.p,this.view.flight.origin(e).p),this.flight.origin(s).p),q:r.q}}return Ds(this.flight,this.keyFor(t),s)}keyFor(t){let[e,n]=[t.slice(0,t.indexOf(":")),t.slice(t.indexOf(":")+1)];return(e==="joint"?this.flight.joints.has(n):e==="site"||this.flight.bodies.has(n))?t:`${e==="joint"?"inertial":e}:${this.flight.reference}`}place(t,e,n){if(this.group.visible=this.shown,!this.shown)return;let[s,r]=[this.frame(t,e,n),e+this.shift];for(let o of this.bodies.all.values()){let{name:a}=o.body,l=this.kind==="cases"&&!n&&t===`body:${a}`;o.shown=!l&&(this.view.bodies.all.get(a)?.shown??!0)}this.bodies.place(s,r);for(let o of this.devices)o.place(s,r);this.trails.until(r)}look({opacity:t,byVerdict:e,solid:n,edges:s}){let r=this.kind==="cases"?e?1:0:.65;for(let o of this.bodies.all.values()){let{surface:a,line:l}=o;a.color.set(o.colour).lerp(new ae(this.tint),r),Object.assign(a,{transparent:!n,opacity:n?1:t,depthWrite:n,needsUpdate:!0}),l.color.set(this.tint),l.visible=s||n}}trace(t,e,n){let s=[...this.bodies.all.values()].map(r=>({name:r.body.name,colour:this.kind==="cases"?this.tint:`#${r.surface.color.getHexString()}`}));this.trails.show(e?s:[],r=>this.frame(t,r-this.shift,n))}},Hh=class{constructor(t){let{scene:e}=t;this.kind=e.kind,this.view=t,this.all=(e.others||[]).map((n,s)=>new Pd(n,s,t,e.kind)),this.group=new te;for(let n of this.all)this.group.add(n.group);this.on=!0,this.common=!1,this.side=!1,this.byVerdict=!0,this.opacity=this.kind==="cases"?Math.max(.06,.5/Math.sqrt(this.all.length||1)):.45,this.look()}look(){let t=this.all.length<=XE;for(let e of this.all)e.look({opacity:this.opacity,byVerdict:this.byVerdict,solid:this.side&&this.all.length===1,edges:t})}place(t,e){if(this.group.visible=this.on,!!this.on)for(let n of this.all)n.place(t,e,this.common)}trace(t,e){for(let n of this.all)n.trace(t,e,this.common)}near(){return this.on?this.all.filter(t=>t.shown).flatMap(t=>t.bodies.near()):[]}label(t,e){for(let[n,s]of this.all.entries())for(let r of s.bodies.all.values()){let{name:o}=r.body,a=this.on&&this.side&&e&&n===0&&s.shown&&r.outer.visible;t.set(`other:${n}:${o}`,o,a?s.bodies.middle(o):null,"",1)}}};var YE=i=>Number(i.toPrecision(7));function e_(i){let{camera:t,controls:e}=i.stage,n=new URLSearchParams;return n.set("t",String(Number(i.clock.time.toPrecision(12)))),n.set("frame",i.frame),n.set("camera",[...t.position.toArray(),...e.target.toArray()].map(YE).join(",")),n.toString()}function Id(i){let t=new URLSearchParams(i.replace(/^#/,"")),e=s=>s===null||s.trim()===""?void 0:Number(s),n=(t.get("camera")||"").split(",").map(Number);return{time:Number.isFinite(e(t.get("t")))?e(t.get("t")):void 0,frame:t.get("frame")||void 0,camera:n.length===6&&n.every(Number.isFinite)?n:void 0}}function ZE(i,t){let e=t.split(".").slice(1,-1),n=i.items.find(r=>r.type==="gap"&&t.startsWith(`clearance.${r.name}.`)),s=i.joints.find(r=>t.startsWith(`joints.${r.name}.`));return[...e,...n?n.bodies:[],...s?s.bodies:[]]}var Gh=class{constructor(t,e,n,s,r){Object.assign(this,{scene:t,curve:e,column:n,above:s,value:r}),this.names=ZE(t,e.path)}broken(t){let e=Dh(this.scene,this.curve,t)[this.column];return Number.isFinite(e)&&(this.above?e>this.value:e<this.value)}get text(){let t=this.curve.columns[this.column];return`${t?`${this.curve.path}.${t}`:this.curve.path} ${this.above?"above":"below"} ${this.value} ${this.curve.unit}`}};function n_(i,t){return new Set(i.filter(e=>e.broken(t)).flatMap(e=>e.names))}var Ld=200,fs=(i,t,...e)=>{let n=tt("details",{},tt("summary",{textContent:i}),...e);return n.open=t,n},Wh=class{constructor(t,e){this.view=e,this.choices=[],t.append(fs("Bodies",!0,this.legend()),...e.others?[fs(e.others.kind==="cases"?"Cases":"Flights",!0,this.others())]:[],fs("Camera",!0,this.camera()),...e.arrows?.kinds.size?[fs("Arrows",!0,this.arrows())]:[],...e.flexible?.any?[fs("Deformation",!0,this.deformation())]:[],...e.hover?.all.length?[this.devices()]:[],fs("Events",e.scene.events.length<=6,this.events()),fs("Superimposed frames and traces",!1,this.strobe(),this.traces()),fs("Mark in red by a threshold",!1,this.rules()),fs("Keys",!1,$E(e.others?.kind)))}legend(){let t=tt("ul",{className:"legend"});this.states=new Map;for(let s of this.view.bodies?.all.values()||[]){let r=tt("span",{className:"swatch"});r.style.background=s.colour;let o=tt("input",{type:"checkbox",checked:!0,onchange:()=>{s.shown=o.checked,this.view.changed()}}),a=tt("span",{className:"state"});this.states.set(s.body.name,a);let l=s.body.stand_in?tt("em",{textContent:" placeholder",title:"The scenario has no shapes of this body. The drawn shape follows from mass and inertia."}):null;t.append(tt("li",{},tt("label",{},o,r,tt("bdi",{textContent:s.body.name}),l),a))}let e=this.check("Transparent bodies",!1,s=>this.view.bodies.setTransparent(s)),n=this.check("Names of bodies",!0,s=>{this.view.names=s});return tt("div",{},t,tt("div",{className:"row"},e,n))}check(t,e,n){let s=tt("input",{type:"checkbox",checked:e,onchange:()=>{n(s.checked),this.view.changed()}});return tt("label",{},s,` ${t}`)}others(){let{view:t}=this,{others:e,scene:n}=t,s=(c,h,u)=>{let f=tt("input",{type:"checkbox",checked:e[h],onchange:()=>t.setOthers({[h]:f.checked})});return this.choices.push([f,h]),tt("label",{title:u},f,` ${c}`)},r=tt("ul",{className:"legend long"},this.flightRow({name:n.first,verdict:n.verdict,tint:null}));for(let c of e.all)r.append(this.flightRow(c));let o=tt("input",{type:"range",min:.05,max:1,step:"any",value:e.opacity,oninput:()=>t.setOthers({opacity:Number(o.value)})}),a=e.kind==="cases",l=[...new Set(e.all.map(c=>c.alignment))];return tt("div",{},r,tt("div",{className:"row"},s(a?"Other cases (o)":"Other flights (o)","on","Show the translucent flights"),a?s("Colour by verdict","byVerdict","Otherwise each body has its own colour"):s("Side by side (s)","side","One half of the picture for each flight"),s("Common camera frame","common","All flights are seen from the camera frame of the first flight. Otherwise each flight is seen from its own camera frame.")),tt("label",{className:"wide"},"Opacity ",o),...a?[]:l.map(c=>tt("p",{className:"note",textContent:c})))}flightRow(t){let{view:e}=this,n=t.tint===null,s=[tt("bdi",{textContent:t.name}),...n?[" (solid)"]:[]],r=tt("span",{className:"state",textContent:t_[t.verdict||""]});if(n)return tt("li",{},tt("span",{},...s),r);let o=tt("input",{type:"checkbox",checked:!0,onchange:()=>e.setShown(t,o.checked)}),a=tt("span",{className:"swatch"});return a.style.background=t.tint,tt("li",{title:t.outcome},tt("label",{},o,a,...s),r)}camera(){let{view:t}=this,e=tt("select",{onchange:()=>t.setFrame(e.value)});e.setAttribute("aria-label","Camera frame");for(let{key:o,label:a}of Wa(t.flight))e.append(tt("option",{value:o,textContent:a}));e.value=t.frame,this.frames=e,this.follow=tt("input",{type:"checkbox",checked:t.keep,onchange:()=>{t.keep=this.follow.checked,t.changed()}});let n=(o,a,l)=>tt("button",{type:"button",textContent:o,title:a,onclick:l}),s=[n("Fit","Move the camera to show all bodies that are near each other (f)",()=>t.fit())];for(let[o,a]of[["Side",[0,-1,0]],["Front",[1,0,0]],["Top",[0,-.001,1]]])s.push(n(o,`Look from the ${o.toLowerCase()}`,()=>t.lookFrom(a)));t.globe?.ball&&s.push(n("Planet","Show the whole planet",()=>t.lookAtPlanet()));let r=t.globe?this.check("Planet and ground",!0,o=>{t.globe.on=o}):null;return tt("div",{},tt("label",{className:"wide"},"Camera frame ",e),tt("div",{className:"row"},...s),tt("label",{},this.follow," Keep bodies in view"),r,tt("div",{className:"row"},n("Save picture","Save the picture as a PNG file",()=>t.savePicture()),n("Copy link","Copy the address of this page with the present time and camera",()=>t.link())))}arrows(){let t=tt("ul",{className:"legend"});for(let s of this.view.arrows.kinds.values()){let r=tt("input",{type:"checkbox",checked:s.on,onchange:()=>{s.on=r.checked,this.view.changed()}}),o=tt("span",{className:"swatch"});o.style.background=s.colour;let a=`1 ${this.view.scene.length[1]} = ${sp(s.perLength,s.unitText)}`;t.append(tt("li",{},tt("label",{},r,o,s.name),tt("span",{className:"state",textContent:a})))}let e=this.view.gaps?.all.length?this.check("Clearance lines",!0,s=>{this.view.gaps.on=s}):null,n=tt("p",{className:"note",textContent:`Velocities are relative to ${this.view.flight.reference}.`});return tt("div",{},t,n,e)}deformation(){let{flexible:t}=this.view,e=[...new Set([1,2,5,10,20,50,100,200,500,1e3,t.standard])].sort((o,a)=>o-a),n=o=>o===1?"\xD7 1 (true size)":`\xD7 ${o}`,s=e.map(o=>tt("option",{value:o,textContent:o===t.standard?`${n(o)}, default`:n(o)})),r=tt("select",{onchange:()=>this.view.setFactor(Number(r.value))},...s);return r.value=t.factor,tt("label",{className:"wide"},"Factor of deformations ",r)}devices(){let{view:t}=this,{all:e}=t.hover;this.deviceStates=e.slice(0,Ld).map(r=>({one:r,state:tt("span",{className:"state"})}));let n=this.deviceStates.map(({one:r,state:o})=>tt("li",{},tt("bdi",{textContent:r.item.name}),o)),s=e.length>Ld?tt("p",{className:"note",textContent:`${e.length-Ld} more devices are not listed.`}):null;return this.deviceList=fs("Devices",!1,tt("ul",{className:"legend long"},...n),s),this.deviceList.addEventListener("toggle",()=>this.update()),this.deviceList}updateDevices(){if(!this.deviceList?.open)return;let{hover:t,clock:e}=this.view;for(let{one:n,state:s}of this.deviceStates){let r=t.text(n,e.time);s.textContent!==r&&(s.textContent=r)}}events(){let{view:t}=this,e=t.scene.events.map(n=>{let s=tt("button",{type:"button",textContent:n.name,onclick:()=>t.clock.seek(n.time)});return tt("li",{},s,tt("span",{className:"state",textContent:ol(n.time)}))});return tt("ol",{className:"legend"},...e)}strobe(){let{view:t}=this,e=tt("input",{type:"text",placeholder:"2.5, 2.6, 2.8",onchange:()=>t.setStrobe(Vh(e.value))});e.setAttribute("aria-label","Times of superimposed frames in seconds"),this.strobeTimes=e;let n=tt("button",{type:"button",textContent:"Add present time",onclick:()=>{e.value=[...Vh(e.value),Number(t.clock.time.toFixed(6))].join(", "),t.setStrobe(Vh(e.value))}}),s=tt("button",{type:"button",textContent:"Remove all",onclick:()=>{e.value="",t.setStrobe([])}});return tt("div",{},tt("label",{className:"wide"},"Times of superimposed frames [s] ",e),tt("div",{className:"row"},n,s))}traces(){let{view:t}=this,e=this.check("Traces of the centres of mass",!1,a=>t.setTraces({centres:a})),n=tt("select");n.setAttribute("aria-label","Body of the point");for(let{name:a}of t.scene.bodies)n.append(tt("option",{value:a,textContent:a}));let s=tt("input",{type:"text",value:"0, 0, 0"});s.setAttribute("aria-label","Point in structural coordinates in metres");let r=tt("button",{type:"button",textContent:"Add trace",onclick:()=>{let a=Vh(s.value);a.length===3&&t.setTraces({point:{name:n.value,at:a,colour:"#e91e63"}})}}),o=tt("button",{type:"button",textContent:"Remove all",onclick:()=>t.setTraces({none:!0})});return tt("div",{},e,tt("label",{className:"wide"},"Trace of a body point, in structural coordinates [m] ",n,s),tt("div",{className:"row"},r,o))}rules(){let{view:t}=this,e=tt("select");e.setAttribute("aria-label","Quantity of the threshold"),t.scene.curves.forEach((l,c)=>l.columns.forEach((h,u)=>{e.append(tt("option",{value:`${c}:${u}`,textContent:h?`${l.path}.${h}`:l.path}))}));let n=tt("select",{},tt("option",{value:"below",textContent:"below"}),tt("option",{value:"above",textContent:"above"}));n.setAttribute("aria-label","Side of the threshold");let s=tt("input",{type:"text",inputMode:"decimal",placeholder:"value"});s.setAttribute("aria-label","Value of the threshold");let r=tt("ul",{className:"rules"}),o=()=>{r.replaceChildren(...t.rules.map(l=>tt("li",{},`${l.text} `,tt("button",{type:"button",textContent:"\xD7",title:"Remove",onclick:()=>{t.rules.splice(t.rules.indexOf(l),1),o()}})))),t.changed()},a=tt("button",{type:"button",textContent:"Add",onclick:()=>{let[l,c]=e.value.split(":").map(Number),h=s.value.trim()===""?NaN:Number(s.value);!Number.isFinite(h)||!t.scene.curves[l]||(t.rules.push(new Gh(t.scene,t.scene.curves[l],c,n.value==="above",h)),o())}});return tt("div",{},tt("label",{className:"wide"},"Quantity ",e),tt("div",{className:"row"},n,s,a),r)}update(){let{view:t}=this;for(let[e,n]of this.states){let s=t.bodies.all.get(e).present?"":"no data";n.textContent!==s&&(n.textContent=s)}this.updateDevices(),this.follow.checked!==t.keep&&(this.follow.checked=t.keep),this.frames.value!==t.frame&&(this.frames.value=t.frame);for(let[e,n]of this.choices)e.checked!==t.others[n]&&(e.checked=t.others[n])}};function Vh(i){return i.split(/[,;\s]+/).filter(Boolean).map(Number).filter(Number.isFinite)}function $E(i){let t=[["space","play or pause"],["\u2190 \u2192","one frame back or forward"],["shift \u2190 \u2192","previous or next event"],["Home End","start or end of the flight"],["+ \u2212","faster or slower"],["f","fit the picture to the bodies"]];return i&&t.push(["o",`show or hide the other ${i}`]),i==="flights"&&t.push(["s","side by side or superimposed"]),tt("table",{},...t.map(([e,n])=>tt("tr",{},tt("th",{textContent:e}),tt("td",{textContent:n}))))}var i_={type:"change"},Nd={type:"start"},r_={type:"end"},Xh=new Ys,s_=new mi,JE=Math.cos(70*wf.DEG2RAD),Pn=new F,ai=2*Math.PI,Ie={NONE:-1,ROTATE:0,DOLLY:1,PAN:2,TOUCH_ROTATE:3,TOUCH_PAN:4,TOUCH_DOLLY_PAN:5,TOUCH_DOLLY_ROTATE:6},Dd=1e-6,qh=class extends Ca{constructor(t,e=null){super(t,e),this.state=Ie.NONE,this.target=new F,this.cursor=new F,this.minDistance=0,this.maxDistance=1/0,this.minZoom=0,this.maxZoom=1/0,this.minTargetRadius=0,this.maxTargetRadius=1/0,this.minPolarAngle=0,this.maxPolarAngle=Math.PI,this.minAzimuthAngle=-1/0,this.maxAzimuthAngle=1/0,this.enableDamping=!1,this.dampingFactor=.05,this.enableZoom=!0,this.zoomSpeed=1,this.enableRotate=!0,this.rotateSpeed=1,this.keyRotateSpeed=1,this.enablePan=!0,this.panSpeed=1,this.screenSpacePanning=!0,this.keyPanSpeed=7,this.zoomToCursor=!1,this.autoRotate=!1,this.autoRotateSpeed=2,this.keys={LEFT:"ArrowLeft",UP:"ArrowUp",RIGHT:"ArrowRight",BOTTOM:"ArrowDown"},this.mouseButtons={LEFT:js.ROTATE,MIDDLE:js.DOLLY,RIGHT:js.PAN},this.touches={ONE:Qs.ROTATE,TWO:Qs.DOLLY_PAN},this.target0=this.target.clone(),this.position0=this.object.position.clone(),this.zoom0=this.object.zoom,this._cursorStyle="auto",this._domElementKeyEvents=null,this._lastPosition=new F,this._lastQuaternion=new We,this._lastTargetPosition=new F,this._quat=new We().setFromUnitVectors(t.up,new F(0,1,0)),this._quatInverse=this._quat.clone().invert(),this._spherical=new lo,this._sphericalDelta=new lo,this._scale=1,this._panOffset=new F,this._rotateStart=new It,this._rotateEnd=new It,this._rotateDelta=new It,this._panStart=new It,this._panEnd=new It,this._panDelta=new It,this._dollyStart=new It,this._dollyEnd=new It,this._dollyDelta=new It,this._dollyDirection=new F,this._mouse=new It,this._performCursorZoom=!1,this._pointers=[],this._pointerPositions={},this._controlActive=!1,this._onPointerMove=jE.bind(this),this._onPointerDown=KE.bind(this),this._onPointerUp=QE.bind(this),this._onContextMenu=oT.bind(this),this._onMouseWheel=nT.bind(this),this._onKeyDown=iT.bind(this),this._onTouchStart=sT.bind(this),this._onTouchMove=rT.bind(this),this._onMouseDown=tT.bind(this),this._onMouseMove=eT.bind(this),this._interceptControlDown=aT.bind(this),this._interceptControlUp=lT.bind(this),this.domElement!==null&&this.connect(this.domElement),this.update()}set cursorStyle(t){this._cursorStyle=t,t==="grab"?this.domElement.style.cursor="grab":this.domElement.style.cursor="auto"}get cursorStyle(){return this._cursorStyle}connect(t){super.connect(t),this.domElement.addEventListener("pointerdown",this._onPointerDown),this.domElement.addEventListener("pointercancel",this._onPointerUp),this.domElement.addEventListener("contextmenu",this._onContextMenu),this.domElement.addEventListener("wheel",this._onMouseWheel,{passive:!1}),this.domElement.ownerDocument.addEventListener("keydown",this._interceptControlDown,{passive:!0,capture:!0}),this.domElement.style.touchAction="none"}disconnect(){this.state=Ie.NONE,this.domElement.removeEventListener("pointerdown",this._onPointerDown),this.domElement.ownerDocument.removeEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.removeEventListener("pointerup",this._onPointerUp),this.domElement.removeEventListener("pointercancel",this._onPointerUp),this.domElement.removeEventListener("wheel",this._onMouseWheel),this.domElement.removeEventListener("contextmenu",this._onContextMenu),this.stopListenToKeyEvents(),this.domElement.ownerDocument.removeEventListener("keydown",this._interceptControlDown,{capture:!0}),this.domElement.ownerDocument.removeEventListener("keyup",this._interceptControlUp,{capture:!0}),this._controlActive=!1,this._pointers.length=0,this._pointerPositions={},this.domElement.style.touchAction="",this.domElement.style.cursor="auto"}dispose(){this.disconnect()}getPolarAngle(){return this._spherical.phi}getAzimuthalAngle(){return this._spherical.theta}getDistance(){return this.object.position.distanceTo(this.target)}listenToKeyEvents(t){t.addEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=t}stopListenToKeyEvents(){this._domElementKeyEvents!==null&&(this._domElementKeyEvents.removeEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=null)}saveState(){this.target0.copy(this.target),this.position0.copy(this.object.position),this.zoom0=this.object.zoom}reset(){this.target.copy(this.target0),this.object.position.copy(this.position0),this.object.zoom=this.zoom0,this.object.updateProjectionMatrix(),this.dispatchEvent(i_),this.update(),this.state=Ie.NONE}pan(t,e){this._pan(t,e),this.update()}dollyIn(t){this._dollyIn(t),this.update()}dollyOut(t){this._dollyOut(t),this.update()}rotateLeft(t){this._rotateLeft(t),this.update()}rotateUp(t){this._rotateUp(t),this.update()}update(t=null){let e=this.object.position;Pn.copy(e).sub(this.target),Pn.applyQuaternion(this._quat),this._spherical.setFromVector3(Pn),this.autoRotate&&this.state===Ie.NONE&&this._rotateLeft(this._getAutoRotationAngle(t)),this.enableDamping?(this._spherical.theta+=this._sphericalDelta.theta*this.dampingFactor,this._spherical.phi+=this._sphericalDelta.phi*this.dampingFactor):(this._spherical.theta+=this._sphericalDelta.theta,this._spherical.phi+=this._sphericalDelta.phi);let n=this.minAzimuthAngle,s=this.maxAzimuthAngle;isFinite(n)&&isFinite(s)&&(n<-Math.PI?n+=ai:n>Math.PI&&(n-=ai),s<-Math.PI?s+=ai:s>Math.PI&&(s-=ai),n<=s?this._spherical.theta=Math.max(n,Math.min(s,this._spherical.theta)):this._spherical.theta=this._spherical.theta>(n+s)/2?Math.max(n,this._spherical.theta):Math.min(s,this._spherical.theta)),this._spherical.phi=Math.max(this.minPolarAngle,Math.min(this.maxPolarAngle,this._spherical.phi)),this._spherical.makeSafe(),this.enableDamping===!0?this.target.addScaledVector(this._panOffset,this.dampingFactor):this.target.add(this._panOffset),this.target.sub(this.cursor),this.target.clampLength(this.minTargetRadius,this.maxTargetRadius),this.target.add(this.cursor);let r=!1;if(this.zoomToCursor&&this._performCursorZoom||this.object.isOrthographicCamera)this._spherical.radius=this._clampDistance(this._spherical.radius);else{let o=this._spherical.radius;this._spherical.radius=this._clampDistance(this._spherical.radius*this._scale),r=o!=this._spherical.radius}if(Pn.setFromSpherical(this._spherical),Pn.applyQuaternion(this._quatInverse),e.copy(this.target).add(Pn),this.object.lookAt(this.target),this.enableDamping===!0?(this._sphericalDelta.theta*=1-this.dampingFactor,this._sphericalDelta.phi*=1-this.dampingFactor,this._panOffset.multiplyScalar(1-this.dampingFactor)):(this._sphericalDelta.set(0,0,0),this._panOffset.set(0,0,0)),this.zoomToCursor&&this._performCursorZoom){let o=null;if(this.object.isPerspectiveCamera){let a=Pn.length();o=this._clampDistance(a*this._scale);let l=a-o;this.object.position.addScaledVector(this._dollyDirection,l),this.object.updateMatrixWorld(),r=!!l}else if(this.object.isOrthographicCamera){let a=new F(this._mouse.x,this._mouse.y,0);a.unproject(this.object);let l=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),this.object.updateProjectionMatrix(),r=l!==this.object.zoom;let c=new F(this._mouse.x,this._mouse.y,0);c.unproject(this.object),this.object.position.sub(c).add(a),this.object.updateMatrixWorld(),o=Pn.length()}else console.warn("WARNING: OrbitControls.js encountered an unknown camera type - zoom to cursor disabled."),this.zoomToCursor=!1;o!==null&&(this.screenSpacePanning?this.target.set(0,0,-1).transformDirection(this.object.matrix).multiplyScalar(o).add(this.object.position):(Xh.origin.copy(this.object.position),Xh.direction.set(0,0,-1).transformDirection(this.object.matrix),Math.abs(this.object.up.dot(Xh.direction))<JE?this.object.lookAt(this.target):(s_.setFromNormalAndCoplanarPoint(this.object.up,this.target),Xh.intersectPlane(s_,this.target))))}else if(this.object.isOrthographicCamera){let o=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),o!==this.object.zoom&&(this.object.updateProjectionMatrix(),r=!0)}return this._scale=1,this._performCursorZoom=!1,r||this._lastPosition.distanceToSquared(this.object.position)>Dd||8*(1-this._lastQuaternion.dot(this.object.quaternion))>Dd||this._lastTargetPosition.distanceToSquared(this.target)>Dd?(this.dispatchEvent(i_),this._lastPosition.copy(this.object.position),this._lastQuaternion.copy(this.object.quaternion),this._lastTargetPosition.copy(this.target),!0):!1}_getAutoRotationAngle(t){return t!==null?ai/60*this.autoRotateSpeed*t:ai/60/60*this.autoRotateSpeed}_getZoomScale(t){let e=Math.abs(t*.01);return Math.pow(.95,this.zoomSpeed*e)}_rotateLeft(t){this._sphericalDelta.theta-=t}_rotateUp(t){this._sphericalDelta.phi-=t}_panLeft(t,e){Pn.setFromMatrixColumn(e,0),Pn.multiplyScalar(-t),this._panOffset.add(Pn)}_panUp(t,e){this.screenSpacePanning===!0?Pn.setFromMatrixColumn(e,1):(Pn.setFromMatrixColumn(e,0),Pn.crossVectors(this.object.up,Pn)),Pn.multiplyScalar(t),this._panOffset.add(Pn)}_pan(t,e){let n=this.domElement;if(this.object.isPerspectiveCamera){let s=this.object.position;Pn.copy(s).sub(this.target);let r=Pn.length();r*=Math.tan(this.object.fov/2*Math.PI/180),this._panLeft(2*t*r/n.clientHeight,this.object.matrix),this._panUp(2*e*r/n.clientHeight,this.object.matrix)}else this.object.isOrthographicCamera?(this._panLeft(t*(this.object.right-this.object.left)/this.object.zoom/n.clientWidth,this.object.matrix),this._panUp(e*(this.object.top-this.object.bottom)/this.object.zoom/n.clientHeight,this.object.matrix)):(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - pan disabled."),this.enablePan=!1)}_dollyOut(t){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale/=t:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_dollyIn(t){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale*=t:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_updateZoomParameters(t,e){if(!this.zoomToCursor)return;this._performCursorZoom=!0;let n=this.domElement.getBoundingClientRect(),s=t-n.left,r=e-n.top,o=n.width,a=n.height;this._mouse.x=s/o*2-1,this._mouse.y=-(r/a)*2+1,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()}_clampDistance(t){return Math.max(this.minDistance,Math.min(this.maxDistance,t))}_handleMouseDownRotate(t){this._rotateStart.set(t.clientX,t.clientY)}_handleMouseDownDolly(t){this._updateZoomParameters(t.clientX,t.clientY),this._dollyStart.set(t.clientX,t.clientY)}_handleMouseDownPan(t){this._panStart.set(t.clientX,t.clientY)}_handleMouseMoveRotate(t){this._rotateEnd.set(t.clientX,t.clientY),this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let e=this.domElement;this._rotateLeft(ai*this._rotateDelta.x/e.clientHeight),this._rotateUp(ai*this._rotateDelta.y/e.clientHeight),this._rotateStart.copy(this._rotateEnd),this.update()}_handleMouseMoveDolly(t){this._dollyEnd.set(t.clientX,t.clientY),this._dollyDelta.subVectors(this._dollyEnd,this._dollyStart),this._dollyDelta.y>0?this._dollyOut(this._getZoomScale(this._dollyDelta.y)):this._dollyDelta.y<0&&this._dollyIn(this._getZoomScale(this._dollyDelta.y)),this._dollyStart.copy(this._dollyEnd),this.zoomToCursor&&(this._performCursorZoom=!0,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()),this.update()}_handleMouseMovePan(t){this._panEnd.set(t.clientX,t.clientY),this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd),this.update()}_handleMouseWheel(t){this._updateZoomParameters(t.clientX,t.clientY),t.deltaY<0?this._dollyIn(this._getZoomScale(t.deltaY)):t.deltaY>0&&this._dollyOut(this._getZoomScale(t.deltaY)),this.update()}_handleKeyDown(t){let e=!1;switch(t.code){case this.keys.UP:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateUp(ai*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,this.keyPanSpeed),e=!0;break;case this.keys.BOTTOM:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateUp(-ai*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,-this.keyPanSpeed),e=!0;break;case this.keys.LEFT:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateLeft(ai*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(this.keyPanSpeed,0),e=!0;break;case this.keys.RIGHT:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateLeft(-ai*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(-this.keyPanSpeed,0),e=!0;break}e&&(t.preventDefault(),this.update())}_handleTouchStartRotate(t){if(this._pointers.length===1)this._rotateStart.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._rotateStart.set(n,s)}}_handleTouchStartPan(t){if(this._pointers.length===1)this._panStart.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._panStart.set(n,s)}}_handleTouchStartDolly(t){let e=this._getSecondPointerPosition(t),n=t.pageX-e.x,s=t.pageY-e.y,r=Math.sqrt(n*n+s*s);this._dollyStart.set(0,r)}_handleTouchStartDollyPan(t){this.enableZoom&&this._handleTouchStartDolly(t),this.enablePan&&this._handleTouchStartPan(t)}_handleTouchStartDollyRotate(t){this.enableZoom&&this._handleTouchStartDolly(t),this.enableRotate&&this._handleTouchStartRotate(t)}_handleTouchMoveRotate(t){if(this._pointers.length==1)this._rotateEnd.set(t.pageX,t.pageY);else{let n=this._getSecondPointerPosition(t),s=.5*(t.pageX+n.x),r=.5*(t.pageY+n.y);this._rotateEnd.set(s,r)}this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let e=this.domElement;this._rotateLeft(ai*this._rotateDelta.x/e.clientHeight),this._rotateUp(ai*this._rotateDelta.y/e.clientHeight),this._rotateStart.copy(this._rotateEnd)}_handleTouchMovePan(t){if(this._pointers.length===1)this._panEnd.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._panEnd.set(n,s)}this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd)}_handleTouchMoveDolly(t){let e=this._getSecondPointerPosition(t),n=t.pageX-e.x,s=t.pageY-e.y,r=Math.sqrt(n*n+s*s);this._dollyEnd.set(0,r),this._dollyDelta.set(0,Math.pow(this._dollyEnd.y/this._dollyStart.y,this.zoomSpeed)),this._dollyOut(this._dollyDelta.y),this._dollyStart.copy(this._dollyEnd);let o=(t.pageX+e.x)*.5,a=(t.pageY+e.y)*.5;this._updateZoomParameters(o,a)}_handleTouchMoveDollyPan(t){this.enableZoom&&this._handleTouchMoveDolly(t),this.enablePan&&this._handleTouchMovePan(t)}_handleTouchMoveDollyRotate(t){this.enableZoom&&this._handleTouchMoveDolly(t),this.enableRotate&&this._handleTouchMoveRotate(t)}_addPointer(t){this._pointers.push(t.pointerId)}_removePointer(t){delete this._pointerPositions[t.pointerId];for(let e=0;e<this._pointers.length;e++)if(this._pointers[e]==t.pointerId){this._pointers.splice(e,1);return}}_isTrackingPointer(t){for(let e=0;e<this._pointers.length;e++)if(this._pointers[e]==t.pointerId)return!0;return!1}_trackPointer(t){let e=this._pointerPositions[t.pointerId];e===void 0&&(e=new It,this._pointerPositions[t.pointerId]=e),e.set(t.pageX,t.pageY)}_getSecondPointerPosition(t){let e=t.pointerId===this._pointers[0]?this._pointers[1]:this._pointers[0];return this._pointerPositions[e]}_customWheelEvent(t){let e=t.deltaMode,n={clientX:t.clientX,clientY:t.clientY,deltaY:t.deltaY};switch(e){case 1:n.deltaY*=16;break;case 2:n.deltaY*=100;break}return t.ctrlKey&&!this._controlActive&&(n.deltaY*=10),n}};function KE(i){this.enabled!==!1&&(this._pointers.length===0&&(this.domElement.setPointerCapture(i.pointerId),this.domElement.ownerDocument.addEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.addEventListener("pointerup",this._onPointerUp)),!this._isTrackingPointer(i)&&(this._addPointer(i),i.pointerType==="touch"?this._onTouchStart(i):this._onMouseDown(i),this._cursorStyle==="grab"&&(this.domElement.style.cursor="grabbing")))}function jE(i){this.enabled!==!1&&(i.pointerType==="touch"?this._onTouchMove(i):this._onMouseMove(i))}function QE(i){switch(this._removePointer(i),this._pointers.length){case 0:this.domElement.releasePointerCapture(i.pointerId),this.domElement.ownerDocument.removeEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.removeEventListener("pointerup",this._onPointerUp),this.dispatchEvent(r_),this.state=Ie.NONE,this._cursorStyle==="grab"&&(this.domElement.style.cursor="grab");break;case 1:let t=this._pointers[0],e=this._pointerPositions[t];this._onTouchStart({pointerId:t,pageX:e.x,pageY:e.y});break}}function tT(i){let t;switch(i.button){case 0:t=this.mouseButtons.LEFT;break;case 1:t=this.mouseButtons.MIDDLE;break;case 2:t=this.mouseButtons.RIGHT;break;default:t=-1}switch(t){case js.DOLLY:if(this.enableZoom===!1)return;this._handleMouseDownDolly(i),this.state=Ie.DOLLY;break;case js.ROTATE:if(i.ctrlKey||i.metaKey||i.shiftKey){if(this.enablePan===!1)return;this._handleMouseDownPan(i),this.state=Ie.PAN}else{if(this.enableRotate===!1)return;this._handleMouseDownRotate(i),this.state=Ie.ROTATE}break;case js.PAN:if(i.ctrlKey||i.metaKey||i.shiftKey){if(this.enableRotate===!1)return;this._handleMouseDownRotate(i),this.state=Ie.ROTATE}else{if(this.enablePan===!1)return;this._handleMouseDownPan(i),this.state=Ie.PAN}break;default:this.state=Ie.NONE}this.state!==Ie.NONE&&this.dispatchEvent(Nd)}function eT(i){switch(this.state){case Ie.ROTATE:if(this.enableRotate===!1)return;this._handleMouseMoveRotate(i);break;case Ie.DOLLY:if(this.enableZoom===!1)return;this._handleMouseMoveDolly(i);break;case Ie.PAN:if(this.enablePan===!1)return;this._handleMouseMovePan(i);break}}function nT(i){this.enabled===!1||this.enableZoom===!1||this.state!==Ie.NONE||(i.preventDefault(),this.dispatchEvent(Nd),this._handleMouseWheel(this._customWheelEvent(i)),this.dispatchEvent(r_))}function iT(i){this.enabled!==!1&&this._handleKeyDown(i)}function sT(i){switch(this._trackPointer(i),this._pointers.length){case 1:switch(this.touches.ONE){case Qs.ROTATE:if(this.enableRotate===!1){this.state=Ie.NONE;break}this._handleTouchStartRotate(i),this.state=Ie.TOUCH_ROTATE;break;case Qs.PAN:if(this.enablePan===!1){this.state=Ie.NONE;break}this._handleTouchStartPan(i),this.state=Ie.TOUCH_PAN;break;default:this.state=Ie.NONE}break;case 2:switch(this.touches.TWO){case Qs.DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchStartDollyPan(i),this.state=Ie.TOUCH_DOLLY_PAN;break;case Qs.DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchStartDollyRotate(i),this.state=Ie.TOUCH_DOLLY_ROTATE;break;default:this.state=Ie.NONE}break;default:this.state=Ie.NONE}this.state!==Ie.NONE&&this.dispatchEvent(Nd)}function rT(i){switch(this._trackPointer(i),this.state){case Ie.TOUCH_ROTATE:if(this.enableRotate===!1)return;this._handleTouchMoveRotate(i),this.update();break;case Ie.TOUCH_PAN:if(this.enablePan===!1)return;this._handleTouchMovePan(i),this.update();break;case Ie.TOUCH_DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchMoveDollyPan(i),this.update();break;case Ie.TOUCH_DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchMoveDollyRotate(i),this.update();break;default:this.state=Ie.NONE}}function oT(i){this.enabled!==!1&&i.preventDefault()}function aT(i){i.key==="Control"&&(this._controlActive=!0,this.domElement.ownerDocument.addEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}function lT(i){i.key==="Control"&&(this._controlActive=!1,this.domElement.ownerDocument.removeEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}var Ud=17,Yh=class{constructor(t,e){this.box=tt("div",{className:"labels"}),this.box.setAttribute("aria-hidden","true"),t.append(this.box),this.camera=e,this.labels=new Map}set(t,e,n,s="",r=0){let o=this.labels.get(t);o||(o={node:tt("div")},this.box.append(o.node),this.labels.set(t,o)),o.place=n,o.side=r,o.text!==e&&(o.node.textContent=o.text=e),o.className!==s&&(o.node.className=o.className=s)}place(t){let e=[];for(let n of this.labels.values()){let s=n.place&&new F(...n.place).project(this.camera),r=s&&n.text&&s.z<1&&Math.abs(s.x)<1.02&&Math.abs(s.y)<1.02,o=t[n.side];if(n.node.hidden=!r||!o,!r||!o)continue;let[a,l]=[o[0]+(s.x+1)*o[2]/2+8,o[1]+(1-s.y)*o[3]/2-Ud/2];e.push({node:n.node,x:a,y:l,wide:7*n.text.length+8,pane:o})}e.sort((n,s)=>n.y-s.y),e.forEach((n,s)=>{n.x=Math.max(n.pane[0]+2,Math.min(n.x,n.pane[0]+n.pane[2]-n.wide-4));for(let r of e.slice(0,s))n.x<r.x+r.wide&&r.x<n.x+n.wide&&n.y<r.y+Ud&&(n.y=r.y+Ud);n.node.style.transform=`translate(${n.x.toFixed(1)}px, ${n.y.toFixed(1)}px)`})}};var cT=.02,hT=.82,uT=1e9,Zh=class{constructor(t,e){this.holder=t;let n=document.createElement("canvas"),s=n.getContext("webgl2",{alpha:!1,antialias:!0});if(!s)throw new Error("The browser has no WebGL.");this.renderer=new fh({canvas:n,context:s,logarithmicDepthBuffer:!0}),this.canvas=this.renderer.domElement,this.canvas.tabIndex=0,this.canvas.setAttribute("aria-label","Bodies of the flight in three dimensions"),this.canvas.setAttribute("role","img"),t.append(this.canvas),this.scene=new ca,this.camera=new Kn(35,1,.01,uT),this.camera.up.set(0,0,1),this.camera.position.set(3,-5,2.5),this.controls=new qh(this.camera,this.canvas),this.controls.enableDamping=!1,this.controls.zoomToCursor=!1,this.byHand=()=>{},this.controls.addEventListener("start",()=>this.byHand()),this.controls.addEventListener("change",()=>this.draw()),this.light(),this.labels=new Yh(t,this.camera),this.canvas.addEventListener("webglcontextlost",r=>{r.preventDefault(),e(!0)}),this.canvas.addEventListener("webglcontextrestored",()=>{e(!1),this.draw()}),new ResizeObserver(()=>this.resize()).observe(t),this.resize()}light(){this.scene.add(new wa(16777215,10134701,1.7));let t=new Aa(16777215,1.9);t.position.set(-.6,.9,1),this.camera.add(t),this.scene.add(this.camera)}setColours(t){this.renderer.setClearColor(new ae(t)),this.draw()}resize(){let{clientWidth:t,clientHeight:e}=this.holder;!t||!e||(this.renderer.setPixelRatio(Math.min(2,devicePixelRatio||1)),this.renderer.setSize(t,e,!1),this.drawNow())}panes(){let{clientWidth:t,clientHeight:e}=this.holder;return this.halves?t>=e?[[0,0,t/2,e],[t/2,0,t/2,e]]:[[0,0,t,e/2],[0,e/2,t,e/2]]:[[0,0,t,e]]}draw(){this.waiting||(this.waiting=requestAnimationFrame(()=>this.drawNow()))}drawNow(){this.waiting&&cancelAnimationFrame(this.waiting),this.waiting=0;let t=this.panes();this.camera.aspect=t[0][2]/t[0][3]||1,this.before?.();let e=this.camera.position.distanceTo(this.controls.target);this.camera.near=Math.max(1e-4,e*cT),this.camera.updateProjectionMatrix(),this.renderer.setScissorTest(t.length>1),t.forEach(([n,s,r,o],a)=>{let l=this.holder.clientHeight-s-o;this.renderer.setViewport(n,l,r,o),this.renderer.setScissor(n,l,r,o),this.half?.(t.length>1?a:void 0),this.renderer.render(this.scene,this.camera)}),this.labels.place(t)}look(t){if(!t.length)return;let{camera:e,controls:n}=this,s=new ii().setFromPoints(t),r=e.position.clone().sub(n.target).normalize(),o=new F().crossVectors(e.up,r);o.lengthSq()<1e-12&&o.set(1,0,0);let a=new F().crossVectors(r,o.normalize());s.getCenter(n.target);let l=Math.tan(e.fov*Math.PI/360)*hT,c=l*e.aspect,h=.001;for(let u of t){let f=u.clone().sub(n.target),d=Math.max(Math.abs(f.dot(o))/c,Math.abs(f.dot(a))/l);h=Math.max(h,d+f.dot(r))}e.position.copy(n.target).addScaledVector(r,h),n.update()}picture(t){this.drawNow(),this.canvas.toBlob(t,"image/png")}};var $h=40,o_=20,fT=.002,dT=new F(0,0,1);function pT(i,t){let[e,n]=[0,2*t];for(let s=0;s<50;s++){let r=(e+n)/2;Math.PI*r*r*(t-r/3)<i?e=r:n=r}return(e+n)/2}function mT({style:i,radius:t,height:e,density:n,full:s},r){if(!(r>0))return[];if(i==="gauge"){let a=e*r/s;return[[0,0],[t,0],[t,a],[0,a]]}if(i==="grain"){let a=Math.sqrt(Math.max(0,t*t-r/(n*Math.PI*e)));return[[a,-e/2],[t,-e/2],[t,e/2],[a,e/2],[a,-e/2]]}if(i==="sphere"){let a=pT(r/n,t);return[...Array.from({length:o_+1},(c,h)=>{let u=a*h/o_;return[Math.sqrt(Math.max(0,u*(2*t-u))),u-t]}),[0,a-t]]}let o=r/(n*Math.PI*t*t);return[[0,0],[t,0],[t,o],[0,o]]}var gT=i=>new pr(i.map(([t,e])=>new It(t,e)),$h).rotateX(Math.PI/2),Jh=class{constructor(t){this.flight=t,this.group=new te,this.all=sr(t,"tank").map(e=>{let n=t.bodies.get(e.body)?.extent||1,s=e.style==="gauge"?{...e,radius:.02*n,height:.15*n}:e,r={transparent:!0,depthTest:!1,depthWrite:!1},o=new Qn({color:e.style==="grain"?"#b5651d":"#4dd0e1",opacity:.5,...r}),a=new _e(new ge,o),l=new is(this.wall(s),new Bn({color:"#30506b",opacity:.7,...r})),c=new te().add(l,a);l.renderOrder=a.renderOrder=3,c.userData.item=e,this.group.add(c);let{x:h,y:u,z:f,w:d}=new We().setFromUnitVectors(dT,new F(...Mn(e.axis)));return{item:e,shape:s,mesh:a,wall:l,holder:c,turn:[d,h,u,f],left:Li(t,e.left),attached:Li(t,e.attached)}})}wall({style:t,radius:e,height:n}){let[s,r]=t==="cylinder"||t==="gauge"?[0,n]:[-n/2,n/2],o=(c,h)=>Array.from({length:$h},(u,f)=>[f,f+1].map(d=>[c*Math.cos(2*Math.PI*d/$h),c*Math.sin(2*Math.PI*d/$h),h])).flat(),a=t==="sphere",l=[...o(a?0:e,s),...o(e,(s+r)/2),...o(a?0:e,r)];if(a)l.push(...o(e,0).map(([c,h])=>[c,0,h]),...o(e,0).map(([c,h])=>[0,c,h]));else for(let[c,h]of[[1,0],[0,1],[-1,0],[0,-1]])l.push([e*c,e*h,s],[e*c,e*h,r]);return new ge().setAttribute("position",new qt(l.flat(),3))}mass(t,e){let n=t.attached?.at(e),s=t.left.at(e);return!s||n&&n[0]<.5?null:s[0]}place(t,e){for(let n of this.all){let{item:s,shape:r,mesh:o,holder:a,turn:l}=n,c=this.flight.drawing(s.body,e),h=this.mass(n,e);if(a.visible=!!c&&h!==null,!a.visible)continue;let[u,f,d,p]=cn(cn(Sn(t.q),c.q),l);if(a.position.set(...Xe(t,Ae(c.p,Ee(c.q,s.at)))),a.quaternion.set(f,d,p,u),n.drawn!==void 0&&Math.abs(h-n.drawn)<fT*s.full)continue;n.drawn=h,o.geometry.dispose();let v=mT(r,h);o.visible=v.length>0,o.geometry=o.visible?gT(v):new ge}}texts(){return this.all.map(t=>({item:t.item,text:e=>this.text(t,e)}))}text(t,e){let n=this.mass(t,e);if(n===null)return"no data, or jettisoned";let[s,r]=this.flight.scene.units.kg||[1,"kg"];return`${t.item.full>0?`${(100*n/t.item.full).toFixed(1)} % left, `:""}${xs(n*s)} ${r}`}};var _T=([i,t,e,n])=>new We(t,e,n,i),xT=[[1,0,0],[0,1,0],[0,0,1]],yT=[[.5,.5,.5,.5],[.5,-.5,-.5,-.5],[1,0,0,0]],Kh=class{constructor(t,e){this.flight=t,this.group=new te;let n=new xi(.014*e,20,12);this.all=sr(t,"contactpoint").map(s=>{let r=new _e(n,new Qn({color:Mo,depthTest:!1,transparent:!0}));return r.renderOrder=7,r.userData.item=s,this.group.add(r),{item:s,mesh:r,values:Li(t,s.values),touching:Li(t,s.touching)}})}at(t,e){let n=t.values.at(e);return n&&en(n.slice(3))>0?this.flight.point(t.item.body,n.slice(0,3),e):null}place(t,e){for(let n of this.all){let s=this.at(n,e);n.mesh.visible=!!s,s&&n.mesh.position.set(...Xe(t,s))}}texts(){return this.all.map(t=>({item:t.item,text:e=>this.at(t,e)?"touches":"no contact"}))}},jh=class{constructor(t,e){this.flight=t,this.size=e,this.group=new te,this.all=sr(t,"endstop").filter(({joint:n})=>t.joints.has(n)).map(n=>this.make(n))}make(t){let{size:e,flight:n}=this,s=n.joints.get(t.joint),r=[t.lower,t.upper].filter(c=>c!==void 0),o=t.angular?new zi(.12*e,.006*e,.012*e).translate(.06*e,0,0):new zi(.07*e,.07*e,.008*e),a=c=>{let h=new _e(o,us("#7a5cc0",{transparent:!0,opacity:.8}));return h.userData.item=t,this.group.add(h),{mesh:h,limit:c}},l=t.angular?a(null).mesh:null;return l?.material.color.set("#30363c"),{item:t,joint:s,ends:r.map(a),pointer:l,travel:Li(n,t.travel),load:Li(n,t.load),active:Li(n,s.active)}}present(t,e){let n=t.active?.at(e);return!!t.travel.at(e)&&(!n||n[0]>.5)}push(t,e){return t.load?.at(e)?.[0]??0}place(t,e){for(let n of this.all){let{item:s,joint:r,ends:o,pointer:a}=n,l=this.flight.drawing(r.bodies[0],e),c=!!l&&this.present(n,e);for(let{mesh:b}of o)b.visible=c;if(a&&(a.visible=c),!c)continue;let h=cn(l.q,r.turn),u=Ee(h,xT[s.axis]),f=Ae(l.p,Ee(l.q,r.at[0])),d=cn(h,yT[s.axis]),p=(b,M,R)=>{b.position.set(...Xe(t,M)),b.quaternion.copy(_T(cn(Sn(t.q),R)))},v=n.travel.at(e)[0],g=this.push(n,e),m=b=>cn(d,[Math.cos(b/2),0,0,Math.sin(b/2)]),_=s.angular?0:this.start(n,e,f,u,v);for(let{mesh:b,limit:M}of o){s.angular?p(b,f,m(M)):p(b,Ae(f,we(u,_+M)),d);let R=g!==0&&M===s.upper==g<0;b.material.color.set(R?Mo:"#7a5cc0")}a&&p(a,f,m(v))}}start(t,e,n,s,r){if(t.first===void 0){let o=this.flight.point(t.joint.bodies[1],t.joint.at[1],e);if(!o)return 0;t.first=cs(Me(o,n),s)-r}return t.first}texts(){return this.all.map(t=>({item:t.item,text:e=>this.present(t,e)?this.push(t,e)?"pushes":"free travel":"removed"}))}};var ST=5,bT=3,a_=i=>10+6*i.length,Qh=class{constructor(t,e,n){Object.assign(this,{scene:e,clock:n});let{start:s,end:r}=n;this.button=tt("button",{type:"button",className:"play",onclick:()=>n.play()}),this.slider=tt("input",{type:"range",min:0,max:1,step:"any",oninput:()=>n.seek(s+this.slider.value*(r-s))}),this.slider.setAttribute("aria-label","Time"),this.now=tt("output",{className:"now"}),this.number=tt("input",{type:"text",inputMode:"decimal",className:"time",title:"Time in seconds",onchange:()=>this.typed()}),this.number.setAttribute("aria-label","Time in seconds"),this.marks=tt("div",{className:"marks"}),this.speed=tt("output",{className:"speed"});let o=tt("input",{type:"range",min:Math.log10(.001),max:Math.log10(1e3),step:.1,className:"speeds",oninput:()=>n.setSpeed(10**o.value)});o.setAttribute("aria-label","Playback speed"),this.speeds=o;let a=tt("input",{type:"checkbox",checked:n.slow,onchange:()=>{n.slow=a.checked,n.changed()}}),l=(c,h,u)=>tt("button",{type:"button",textContent:c,title:h,onclick:u});t.append(tt("div",{className:"line"},this.slider,this.marks),tt("div",{className:"row"},l("\xAB","Previous event (shift \u2190)",()=>this.event(-1)),this.button,l("\xBB","Next event (shift \u2192)",()=>this.event(1)),this.number,tt("span",{className:"unit",textContent:"s"}),this.now,tt("label",{},"playback speed ",o),this.speed,e.separations.length?tt("label",{title:"The playback slows down around each release"},a," slow motion at release"):null)),new ResizeObserver(()=>this.addMarks()).observe(this.marks),this.addMarks(),this.update()}addMarks(){let{start:t,end:e}=this.clock,n=Math.max(this.marks.clientWidth-16,1)/Math.max(e-t,1e-12),s=[],r=new Array(bT).fill(-1/0);for(let o of this.scene.events){let a=(o.time-t)*n;if(!(a>=0&&o.time<=e+1e-7*(e-t)))continue;let l=s[s.length-1],c=a_(String(o.number))/2,h=r.findIndex(d=>a-c>d);l&&(a-l.place<ST||h<0)?l.events.push(o):s.push({place:a,row:h,left:r[h],events:[o]});let u=s[s.length-1],f=a_(this.markLabel(u));u.place=Math.max(u.place,u.left+1+f/2),r[u.row]=u.place+f/2}this.marks.replaceChildren(...s.map(o=>this.mark(o)))}markLabel({events:t}){let[e,n]=[t[0].number,t[t.length-1].number];return t.length>1?`${e}\u2013${n}`:String(e)}mark({place:t,events:e,row:n}){let{clock:s}=this,r=e.map(l=>`${l.number}: ${l.name}, ${ol(l.time)}`).join(`
`),o=this.markLabel({events:e}),a=tt("button",{type:"button",title:r,textContent:o,onclick:()=>s.seek(e[0].time)});return a.setAttribute("aria-label",`Event ${r}`),a.style.left=`${8+t}px`,a.style.top=`${15*n}px`,a}typed(){let t=Number(this.number.value.replace(",","."));Number.isFinite(t)&&this.clock.seek(t),this.update()}event(t){let{time:e}=this.clock,n=1e-9*Math.max(1,Math.abs(e)),s=this.scene.events.map(o=>o.time).sort((o,a)=>o-a),r=t>0?s.find(o=>o>e+n):s.filter(o=>o<e-n).pop();this.clock.seek(r??(t>0?this.clock.end:this.clock.start))}update(){let{clock:t}=this;this.button.textContent=t.playing?"\u275A\u275A":"\u25B6",this.button.title=t.playing?"Pause (space)":"Play (space)",this.button.setAttribute("aria-label",t.playing?"Pause":"Play");let e=Math.max(t.end-t.start,1e-12);this.slider.value=(t.time-t.start)/e;let n=ip(t.time,t.rate/3);this.slider.setAttribute("aria-valuetext",n);let{activeElement:s}=this.number.getRootNode();s!==this.number&&(this.number.value=n.replace(" s",""));let r=t.rate<t.speed*.999;this.speed.textContent=r?`${al(t.rate)} (of ${al(t.speed)})`:al(t.speed),s!==this.speeds&&(this.speeds.value=Math.log10(t.speed)),this.now.textContent=t.lastPast(this.scene.events)?.name??""}};function l_(i,t,e,n){i.addEventListener("keydown",s=>{let[r]=s.composedPath();if(r.matches?.("input:not([type=range]):not([type=checkbox]), select, textarea")||s.ctrlKey||s.metaKey||s.altKey)return;let a=t.rate/30,l={" ":()=>!r.matches?.("button, input[type=checkbox], summary")&&(t.play(),!0),ArrowLeft:()=>(s.shiftKey?e.event(-1):t.seek(t.time-a),!0),ArrowRight:()=>(s.shiftKey?e.event(1):t.seek(t.time+a),!0),Home:()=>(t.seek(t.start),!0),End:()=>(t.seek(t.end),!0),"+":()=>(t.setSpeed(t.speed*2),!0),"=":()=>(t.setSpeed(t.speed*2),!0),"-":()=>(t.setSpeed(t.speed/2),!0)};for(let[c,h]of Object.entries(n))l[c]=()=>(h(),!0);l[s.key]?.()&&s.preventDefault()})}var tu=class{constructor(t,e,n){this.scene=e,this.flight=new Fo(e),this.clock=new rl(e),this.frame=e.frame&&Wa(this.flight).some(({key:l})=>l===e.frame)?e.frame:ag(this.flight),this.keep=!0,this.names=!0,this.rules=[],this.last=void 0,this.traced={centres:!1,points:[]},this.parts=[];let s=tt("div",{className:"picture"}),r=tt("aside"),o=tt("div",{className:"transport"}),a=tt("div",{className:"curves"});t.append(tt("div",{className:"top"},s,r),o,a),this.picture=s,this.open(s)&&this.fill(),this.settings=this.stage&&new Wh(r,this),r.hidden=!this.stage,this.transport=new Qh(o,e,this.clock),l_(n,this.clock,this.transport,{f:()=>this.fit(),...this.others&&{o:()=>this.setOthers({on:!this.others.on})},...this.others&&e.kind==="flights"&&{s:()=>this.setOthers({side:!this.others.side})}}),this.clock.listen(()=>this.redraw()),this.clock.listen(()=>this.curves?.update(),33),this.stage&&(this.lookFrom(this.firstWay()),this.goTo(Id(location.hash))),addEventListener("hashchange",()=>this.stage&&this.goTo(Id(location.hash))),this.changed(),this.stage?.drawNow(),this.ready=performance.now(),requestAnimationFrame(l=>{e.curves.length&&(this.curves=new Nh(a,e,this.clock,this.others)),this.run(l)})}open(t){this.message=tt("p",{className:"message",hidden:!0}),t.append(this.message);try{this.stage=new Zh(t,e=>this.lost(e))}catch{return this.lost(!0,"The 3-D picture needs WebGL, which this browser does not have. Use the still picture and the curves below."),!1}return this.stage.before=()=>this.place(),this.stage.byHand=()=>{this.keep=!1,this.settings?.update()},!0}lost(t,e="The browser stopped the 3-D picture (WebGL context lost). Reload the page, or use the still picture below."){this.message.textContent=e,this.message.hidden=!t,this.picture.classList.toggle("lost",t),document.getElementById("summary").open=t}fill(){let{scene:t}=this.stage;this.bodies=new vo(this.flight);let e=this.bodies.extent,n=Math.max(this.bodies.smallest,e/6);this.joints=new Do(this.flight,n),this.links=new Lo(this.flight,n),this.plumes=new No(this.flight),this.canopies=new Uo(this.flight),this.fasteners=new Oo(this.flight,n),this.bands=new Bo(this.flight),this.pistons=new ko(this.flight,n),this.contacts=new Kh(this.flight,n),this.tanks=new Jh(this.flight),this.stops=new jh(this.flight,n),this.flexible=new Fh(this.flight,this.bodies,n),this.bodies.bend=(r,o)=>this.flexible.bend(r,o),this.flexible.any&&(this.factorCaption=tt("div",{className:"factor"}),this.picture.append(this.factorCaption)),this.devices=[this.flexible,this.links,this.fasteners,this.bands,this.pistons,this.contacts,this.stops,this.tanks],this.hover=new zh(this,this.devices),this.arrows=new gh(this.flight,e,this.stage.labels),this.gaps=new Oh(this.flight,n,this.stage.labels),this.trails=new zo(this.flight),this.strobe=new _h(this.bodies);let s=[...this.bodies.all.values()].map(r=>[r.body.name,r.colour]);this.scene.planet&&(this.globe=new Bh(this.flight,s)),this.parts=[this.bodies,this.joints,...this.devices,this.plumes,this.canopies,this.arrows,this.gaps,this.trails,this.strobe,this.globe].filter(Boolean),this.scene.others?.length&&this.openOthers(t);for(let r of this.parts)t.add(r.group);this.colour(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>this.colour())}openOthers(t){this.others=new Hh(this),t.add(this.others.group);let e=n=>tt("div",{className:"pane",hidden:!0,textContent:n});this.captions=[e(this.scene.first),e(this.others.all.map(n=>n.name).join(", "))],this.picture.append(...this.captions),this.stage.half=n=>{for(let s of this.parts)s!==this.globe&&(s.group.visible=n!==1);this.others.group.visible=this.others.on&&n!==0}}colour(){let t=getComputedStyle(this.picture);this.stage.setColours(t.getPropertyValue("--sky").trim());let e=t.getPropertyValue("--edge").trim();for(let{line:n}of this.bodies.all.values())n.color.set(e)}place(){if(!this.bodies)return;let{time:t}=this.clock,e=Ds(this.flight,this.frame,t),n=n_(this.rules,t);this.bodies.place(e,t),this.bodies.setRed(n);for(let s of[this.joints,...this.devices,this.plumes,this.canopies,this.hover,this.arrows,this.globe])s?.place(e,t);this.factorCaption&&(this.factorCaption.textContent=this.flexible.caption),this.gaps.place(e,t,n),this.trails.until(t);for(let s of this.bodies.all.values()){let{name:r}=s.body;this.stage.labels.set(`body:${r}`,r,this.names&&s.outer.visible?this.bodies.middle(r):null,s.red?"bad":"")}this.others?.place(this.frame,t),this.others?.label(this.stage.labels,this.names),this.captions?.forEach((s,r)=>{let[o,a]=this.stage.panes()[r]||[0,0];Object.assign(s.style,{left:`${o+8}px`,top:`${a+6}px`})}),this.keep&&this.keepInView(),this.settings?.update()}keepInView(){this.stage.look([...this.bodies.near(),...this.others?.near()||[]])}redraw(){this.transport?.update(),this.stage?.draw()}changed(){this.redraw(),this.curves?.update()}run(t){this.clock.advance((t-(this.last??t))/1e3),this.last=t,requestAnimationFrame(e=>this.run(e))}setFrame(t){this.frame=t,this.again(),this.fit()}again(){let t=n=>Ds(this.flight,this.frame,n);this.strobe.show(this.strobe.times,t);let e=this.traced.centres?[...this.bodies.all.values()].map(n=>({name:n.body.name,colour:n.colour})):[];this.trails.show([...e,...this.traced.points],t),this.others?.trace(this.frame,this.traced.centres),this.changed()}setOthers(t){let{others:e}=this;Object.assign(e,t),e.look(),this.stage.halves=e.side&&e.on,this.captions.forEach(n=>{n.hidden=!this.stage.halves}),"common"in t&&this.again(),"side"in t&&this.fit(),"on"in t&&this.curves?.again(),this.settings.update(),this.changed()}setShown(t,e){t.shown=e,this.curves?.again(),this.changed()}setFactor(t){this.flexible.factor=t,this.again()}setStrobe(t){this.strobe.times=t,this.again()}setTraces({centres:t,point:e,none:n}){t!==void 0&&(this.traced.centres=t),e&&this.traced.points.push(e),n&&(this.traced.points=[]),this.again()}fit(){this.keep=!0,this.changed()}firstWay(){this.place();let t=new ii().setFromPoints(this.bodies.near()).getSize(new F);return t.y>t.x&&t.y>.8*t.z?[.8,-.45,.35]:[.45,-.8,.35]}lookFrom(t){let{camera:e,controls:n}=this.stage;e.position.copy(n.target).add({x:t[0],y:t[1],z:t[2]}),this.keep=!0,this.stage.drawNow()}lookAtPlanet(){this.keep=!1;let t=Ds(this.flight,this.frame,this.clock.time),{centre:e,radius:n}=this.globe.sphere(t,this.clock.time),{camera:s,controls:r}=this.stage,o=[-1,1].flatMap(a=>[0,1,2].map(l=>new F(...e.map((c,h)=>c+(h===l?a*n:0)))));r.target.set(...e),s.position.copy(new F(...e)).negate().add(new F(.2*n,-.3*n,.1*n)).add(r.target),this.stage.look(o),this.changed()}savePicture(){this.stage.picture(t=>{let e=tt("a",{href:URL.createObjectURL(t),download:`${this.scene.title.replace(/[^\w-]+/g,"_").slice(0,60)||"flight"}.png`});e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),1e3)})}link(){let t=`#${e_(this)}`;try{history.replaceState(null,"",t)}catch{location.hash=t}navigator.clipboard?.writeText(location.href).catch(()=>{})}goTo({time:t,frame:e,camera:n}){e&&Wa(this.flight).some(({key:s})=>s===e)&&(this.frame=e),t!==void 0&&this.clock.seek(t),n&&(this.keep=!1,this.stage.camera.position.set(...n.slice(0,3)),this.stage.controls.target.set(...n.slice(3)),this.stage.controls.update()),this.again()}};function wT(i){let t=document.getElementById("viewer-style");if(!t)return i;let e=tt("div",{className:"light"});return i.attachShadow({mode:"open"}).append(tt("style",{textContent:t.textContent}),e),e}function ET(){let i=document.getElementById("summary"),t=ep();if(!t.span)return;let e=document.createElement("details");e.id="summary";let n=document.createElement("summary");n.textContent=i.dataset.title,e.append(n,...i.childNodes),i.replaceWith(e);let s=document.getElementById("viewer"),r=wT(s);globalThis.playback=new tu(r,t,r===s?document:s),document.addEventListener("DOMContentLoaded",()=>rp(globalThis.playback.clock))}ET();})();
